import { hashOf } from '../../../model/canonical.ts'
import { createBoundedCache } from '../../../runtime/bounded-cache.ts'
import type { Clock } from '../../../runtime/clock.ts'

export type TokenCache = ReturnType<typeof createTokenCache>

/** More than the connections of one installation. */
const TOKENS_MAX = 10_000

/** Access tokens in memory, by a hash of the credentials and the scope. */
export function createTokenCache(clock: Pick<Clock, 'monotonicMs'>) {
  const tokens = createBoundedCache<string, { readonly token: string; readonly expiresAtMs: number }>(
    TOKENS_MAX,
  )
  return {
    get: (key: string): string | null => {
      const known = tokens.get(key)
      return known !== undefined && known.expiresAtMs > clock.monotonicMs() ? known.token : null
    },
    put: (key: string, token: string, validMs: number): void => {
      tokens.set(key, { token, expiresAtMs: clock.monotonicMs() + validMs })
    },
    /** Forgets the token, unless it was replaced meanwhile. */
    drop: (key: string, token: string): void => {
      if (tokens.get(key)?.token === token) tokens.delete(key)
    },
  }
}

/** The key of a token: equal only for equal credentials, and not the credentials themselves. */
export function tokenKeyOf(parts: readonly (string | null)[]): string {
  return hashOf(['token', ...parts.map((part) => (part === null ? '-' : `+${part}`))])
}
