import { z } from 'zod'
import { basePathOf } from '../../model/base-path.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Sealer } from '../../runtime/seal.ts'

/** What a browser keeps, encrypted, between two requests of one sign-in. */
export type SealedCookie<T> = {
  /** The header `Set-Cookie`. */
  readonly set: (value: T) => string
  readonly clear: () => string
  /** Null for none, an expired one, and one that this service did not make. */
  readonly read: (header: string | undefined) => T | null
}

const Content = z.object({ value: z.unknown(), untilMs: z.number() })

export function sealedCookie<S extends z.ZodType>(
  options: {
    readonly name: string
    readonly path: string
    readonly maxAgeS: number
    /** `Lax` for one that the browser sends when another site sends it back. */
    readonly sameSite: 'Lax' | 'Strict'
    readonly schema: S
  },
  deps: {
    readonly sealer: Pick<Sealer, 'seal' | 'open'>
    readonly clock: Clock
    readonly publicUrl: () => string
  },
): SealedCookie<z.infer<S>> {
  const { name, path, maxAgeS, sameSite } = options
  const header = (value: string, ageS: number) => {
    const secure = deps.publicUrl().startsWith('https:') ? '; Secure' : ''
    return `${name}=${value}; Path=${basePathOf(deps.publicUrl())}${path}; Max-Age=${ageS}; HttpOnly; SameSite=${sameSite}${secure}`
  }
  return {
    set(value) {
      const untilMs = deps.clock.now().getTime() + maxAgeS * 1_000
      return header(deps.sealer.seal(JSON.stringify({ value, untilMs }), name), maxAgeS)
    },

    clear: () => header('', 0),

    read(cookies) {
      const sealed = (cookies ?? '')
        .split(';')
        .map((each) => each.trim())
        .find((each) => each.startsWith(`${name}=`))
        ?.slice(name.length + 1)
      if (!sealed) return null
      try {
        const { value, untilMs } = Content.parse(JSON.parse(deps.sealer.open(sealed, name)))
        return untilMs < deps.clock.now().getTime() ? null : options.schema.parse(value)
      } catch {
        // Forged, or sealed with a former key.
        return null
      }
    },
  }
}
