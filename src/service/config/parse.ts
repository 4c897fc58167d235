import { parseCidrs } from '../../runtime/egress/address.ts'
import { parseSealKey } from '../../runtime/seal.ts'

/** A setting's text as a value, or what is allowed instead: `must be …`. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly allowed: string }
export type Parser<T> = (text: string) => Parsed<T>

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const good = <T>(value: T): Parsed<T> => ({ ok: true, value })
const bad = (allowed: string): Parsed<never> => ({ ok: false, allowed })

export const anyText: Parser<string> = (text) => good(text)

export function wholeNumber(min: number, max: number): Parser<number> {
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? good(value) : bad(`a whole number from ${min} to ${max}`)
  }
}

/** `500ms`, `30s`, `15m`, `6h`, `90d`, in milliseconds. */
export function duration(min: string, max: string): Parser<number> {
  return (text) => {
    const value = milliseconds(text)
    const fits = value !== null && value >= (milliseconds(min) ?? 0) && value <= (milliseconds(max) ?? 0)
    return fits ? good(value) : bad(`a duration from ${min} to ${max}, such as 500ms, 30s, 15m, 6h or 90d`)
  }
}

/** A fixed interval in milliseconds, or null for `adaptive`. */
export function intervalOrAdaptive(min: string, max: string): Parser<number | null> {
  return (text) => {
    if (text === 'adaptive') return good(null)
    const fixed = duration(min, max)(text)
    return fixed.ok ? fixed : bad(`"adaptive" or ${fixed.allowed}`)
  }
}

export function durations(options: {
  readonly countMax: number
  readonly min: string
  readonly max: string
}) {
  const one = duration(options.min, options.max)
  return (text: string): Parsed<readonly number[]> => {
    const values = listOf(text).map(one)
    const fits = values.length > 0 && values.length <= options.countMax && values.every((value) => value.ok)
    return fits
      ? good(values.map((value) => (value.ok ? value.value : 0)))
      : bad(`1 to ${options.countMax} durations from ${options.min} to ${options.max}, such as 5s,5m,30m`)
  }
}

export function oneOf<const T extends readonly string[]>(allowed: T): Parser<T[number]> {
  return (text) => {
    const value = allowed.find((each) => each === text)
    return value === undefined ? bad(`one of ${allowed.join(', ')}`) : good(value)
  }
}

/** Some of `allowed`, each once; `all` stands for every one. */
export function someOrAll<const T extends readonly string[]>(allowed: T): Parser<ReadonlySet<T[number]>> {
  return (text) => {
    if (text === 'all') return good(new Set<T[number]>(allowed))
    const chosen = listOf(text)
    return chosen.length > 0 && chosen.every((each) => allowed.includes(each))
      ? good(new Set<T[number]>(chosen))
      : bad(`"all", or some of ${allowed.join(',')}`)
  }
}

/** An http or https URL without user, query or fragment; a trailing slash is dropped. */
export const baseUrl: Parser<string> = (text) => {
  const url = URL.parse(text)
  const fits =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  return fits
    ? good(url.href.replace(/\/+$/, ''))
    : bad('an http or https URL such as https://radar.example.com')
}

export const databaseUrl: Parser<string> = (text) => {
  if (/^sqlite:./.test(text)) return good(text)
  return /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')
    ? good(text)
    : bad('sqlite:<path of a file> or postgres://<user>:<password>@<host>/<database>')
}

export const sealKey: Parser<Buffer> = (text) => {
  const key = parseSealKey(text)
  return key === null
    ? bad('32 random bytes in base64 or hex; `openssl rand -base64 32` makes them')
    : good(key)
}

export const cidrs: Parser<readonly string[]> = (text) => {
  const entries = listOf(text)
  const parsed = parseCidrs(entries)
  return parsed.ok
    ? good(entries)
    : bad(`address blocks separated by commas, such as 10.0.0.0/8,fd00::/8 (${parsed.message})`)
}

/** Like `cidrs`, in the forms that Fastify's `trustProxy` reads: no brackets and no zone. */
export const proxies: Parser<readonly string[]> = (text) => {
  const plain = cidrs(text)
  return plain.ok && plain.value.some((entry) => /[[\]%]/.test(entry))
    ? bad('addresses or address blocks separated by commas, such as 127.0.0.1,10.0.0.0/8,fd00::/8')
    : plain
}

/** Names as they stand before the hyphen of a hook's id. */
export const platformNames: Parser<readonly string[]> = (text) => {
  const names = listOf(text)
  const fits = names.every(
    (name) => /^[a-z][a-z0-9_]{0,31}$/.test(name) && name !== 'api' && name !== 'console',
  )
  return fits
    ? good([...new Set(names)])
    : bad(
        'names of lowercase letters, digits and _, separated by commas, such as zapier,make,n8n (api and console are taken)',
      )
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function milliseconds(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  const unitMs = UNITS_MS[unit]
  return count === undefined || unitMs === undefined ? null : Number(count) * unitMs
}
