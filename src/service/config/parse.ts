import { z } from 'zod'
import { OWN_SEGMENTS } from '../../api/own-segments.ts'
import { storeAppOf } from '../../model/store-app.ts'
import type { Store } from '../../model/vocabulary.ts'
import { type AddedFormats, addedFormats } from '../../pipeline/appstores/added-formats.ts'
import { certificatesIn } from '../../runtime/authorities.ts'
import { parseCidrs } from '../../runtime/egress/address.ts'
import { readText } from '../../runtime/read-text.ts'
import { parseSealKey } from '../../runtime/seal.ts'

/** Parses the text of a setting. The message of its only issue describes the allowed values, worded to follow "must be". */
export type Parser<T> = z.ZodType<T, string>

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `read` returns undefined for an invalid text. `allowed` describes the valid ones. */
function parser<T>(allowed: string, read: (text: string) => T | undefined): Parser<T> {
  return z.string().transform((text, context) => {
    const value = read(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: allowed })
    return z.NEVER
  })
}

export const anyText: Parser<string> = z.string()

/** The brackets of an IPv6 address belong to URLs; without them it is also a host to listen on. */
export const listenHost: Parser<string> = z.string().transform((text) => text.replace(/^\[(.*)\]$/, '$1'))

export function wholeNumber(min: number, max: number): Parser<number> {
  return parser(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })
}

/** Those of libpq, and one of the driver. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** `500ms`, `30s`, `15m`, `6h`, `90d`, in milliseconds. */
export function duration(min: string, max: string): Parser<number> {
  const allowed = `a duration from ${min} to ${max}, such as 500ms, 30s, 15m, 6h or 90d`
  return parser(allowed, (text) => durationWithin(text, min, max))
}

/** A fixed interval in milliseconds, or null for `adaptive`. */
export function intervalOrAdaptive(min: string, max: string): Parser<number | null> {
  const allowed = `"adaptive" or a duration from ${min} to ${max}, such as 500ms, 30s, 15m, 6h or 90d`
  return parser(allowed, (text) => (text === 'adaptive' ? null : durationWithin(text, min, max)))
}

/** 1 to `countMax` durations, in milliseconds. */
export function durations(countMax: number, min: string, max: string): Parser<readonly number[]> {
  const allowed = `1 to ${countMax} durations from ${min} to ${max}, such as 5s,5m,30m`
  return parser(allowed, (text) => {
    const values = listOf(text).map((each) => durationWithin(each, min, max))
    const valid = values.filter((value) => value !== undefined)
    return valid.length === values.length && valid.length > 0 && valid.length <= countMax ? valid : undefined
  })
}

export function oneOf<const T extends readonly string[]>(allowed: T): Parser<T[number]> {
  return parser(`one of ${allowed.join(', ')}`, (text) => allowed.find((each) => each === text))
}

/** A subset of `allowed`; `all` means every value. */
export function someOrAll<const T extends readonly string[]>(allowed: T): Parser<ReadonlySet<T[number]>> {
  return parser(`"all", or some of ${allowed.join(',')}`, (text) => {
    const chosen = text === 'all' ? allowed : listOf(text)
    const fits = chosen.length > 0 && chosen.every((each) => allowed.includes(each))
    return fits ? new Set<T[number]>(chosen) : undefined
  })
}

/** An http or https URL without user, query or fragment; a trailing slash is removed. */
export const baseUrl: Parser<string> = parser(
  'an http or https URL such as https://radar.example.com',
  (text) => {
    const url = URL.parse(text)
    const fits =
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      url.username === '' &&
      url.password === '' &&
      url.search === '' &&
      url.hash === ''
    return fits ? url.href.replace(/(?<!\/)\/+$/, '') : undefined
  },
)

/** A base URL whose path is none of the service. */
export const ownUrl: Parser<string> = baseUrl.refine(
  (text) => {
    const { pathname } = new URL(text)
    return /^(?:\/[\w.~-]+)*\/?$/.test(pathname) && !OWN_SEGMENTS.has(pathname.split('/')[1] ?? '')
  },
  `an http or https URL such as https://example.com/radar, whose path consists of letters, digits and ._~- and does not begin like one of the service: ${[...OWN_SEGMENTS].join(', ')}`,
)

/** How to write a password in a URL. */
const ENCODED =
  'special characters of the password must be percent-encoded, such as %23 for #, %2F for / and %3F for ?'

/** Whether an `@` after the host shows that a `#`, `/` or `?` of the password ended the host too early. */
function isCutInPassword({ pathname, search, hash }: URL): boolean {
  return `${pathname}${search}${hash}`.includes('@')
}

export const proxyUrl: Parser<string> = parser(
  `an http URL such as http://user:password@proxy.example.com:3128 (${ENCODED})`,
  (text) => {
    const url = URL.parse(text)
    const fits =
      url !== null &&
      url.protocol === 'http:' &&
      url.hostname !== '' &&
      /^\/?$/.test(url.pathname + url.search + url.hash) &&
      isDecodable(url.username + url.password)
    return fits ? url.href : undefined
  },
)

export const databaseUrl: Parser<string> = parser(
  `sqlite:<path of a file> or postgres://<user>:<password>@<host>/<database>, whose sslmode may be ${SSL_MODES.join(', ')} (${ENCODED})`,
  (text) => {
    const url = URL.parse(text)
    const isPostgres = /^postgres(ql)?:$/.test(url?.protocol ?? '')
    const mode = url?.searchParams.get('sslmode') ?? null
    if (/^sqlite:./.test(text)) return text
    const fits = isPostgres && url !== null && !isCutInPassword(url)
    return fits && (mode === null || SSL_MODES.includes(mode)) ? text : undefined
  },
)

/** The path of a readable file. The file is read again when it is needed. */
export const pemFile: Parser<string> = parser(
  'a file that this user can read, with valid certificates in PEM ("-----BEGIN CERTIFICATE-----")',
  (text) => (certificatesIn(readText(text) ?? '') === null ? undefined : text),
)

/** The formats in a file, which is read once. An error names the first wrong field. */
export const formatsFile: Parser<AddedFormats> = z.string().transform((text, context) => {
  const read = addedFormats.safeParse(jsonIn(text))
  if (read.success) return read.data
  const [issue] = read.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const field = [...(issue?.path ?? []), ...unknown].join('.')
  const problem = field === '' ? '' : unknown.length > 0 ? ` without "${field}"` : ` with a valid "${field}"`
  const message = `a JSON file of formats (docs/stores.md, Added formats)${problem}`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** Undefined for a file that cannot be read or is no JSON. */
function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readText(file) ?? '')
  } catch {
    return undefined
  }
}

export const smtpUrl: Parser<string> = parser(
  `smtp://<user>:<password>@<host>:<port>, or smtps:// for TLS from the start (${ENCODED})`,
  (text) => {
    const url = URL.parse(text)
    const isKnown = url !== null && /^(?:\?insecure=1)?$/.test(url.search) && !isCutInPassword(url)
    return isKnown && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? text : undefined
  },
)

/** `alerts@example.com` or `Review Radar <alerts@example.com>`. */
export const mailSender: Parser<string> = parser(
  'an address such as alerts@example.com or Review Radar <alerts@example.com>',
  (text) => (/^([^<>\r\n]{1,100}<)?[^@<>\s]+@[^@<>\s]+>?$/.test(text) ? text : undefined),
)

export const sealKey: Parser<Buffer> = parser(
  '32 random bytes in base64 or hex; `openssl rand -base64 32` generates them',
  (text) => parseSealKey(text) ?? undefined,
)

export const cidrs: Parser<readonly string[]> = z.string().transform((text, context) => {
  const entries = listOf(text)
  const parsed = parseCidrs(entries)
  if (parsed.ok) return entries
  const message = `address blocks separated by commas, such as 10.0.0.0/8,fd00::/8 (${parsed.message})`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** Like `cidrs`, but without brackets and zones, which Fastify's `trustProxy` does not accept. */
export const proxies: Parser<readonly string[]> = cidrs.refine(
  (entries) => !entries.some((entry) => /[[\]%]/.test(entry)),
  'addresses or address blocks separated by commas, such as 127.0.0.1,10.0.0.0/8,fd00::/8',
)

/** Names of platforms: the part of a hook's id before the hyphen. */
export const platformNames: Parser<readonly string[]> = parser(
  'names of lowercase letters, digits and _, separated by commas, such as zapier,make,n8n (api and console are reserved)',
  (text) => {
    const names = listOf(text)
    const fits = names.every(
      (name) => /^[a-z][a-z0-9_]{0,31}$/.test(name) && name !== 'api' && name !== 'console',
    )
    return fits ? [...new Set(names)] : undefined
  },
)

/** The id of an app by store. */
export const appOfEachStore: Parser<ReadonlyMap<Store, string>> = parser(
  '"off", or one app of each store, such as apple/389801252,google/com.instagram.android',
  (text) => {
    if (text === 'off') return new Map()
    const apps = new Map<Store, string>()
    for (const each of listOf(text)) {
      const app = storeAppOf(each)
      if (app === null || apps.has(app.store)) return undefined
      apps.set(app.store, app.appId)
    }
    return apps
  },
)

export const emailDomains: Parser<readonly string[]> = parser(
  'domains separated by commas, such as example.com,example.org',
  (text) => {
    const domains = listOf(text).map((domain) => domain.toLowerCase())
    return domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) ? domains : undefined
  },
)

/** `*.` stands for any names below a domain. */
export const hostNames: Parser<readonly string[]> = parser(
  'host names separated by commas, such as hooks.slack.com,*.example.com',
  (text) => {
    const names = listOf(text).map((name) => name.toLowerCase())
    return names.every(
      (name) =>
        /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name) &&
        !/^\d+$/.test(name.slice(name.lastIndexOf('.') + 1)),
    )
      ? names
      : undefined
  },
)

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

function durationWithin(text: string, min: string, max: string): number | undefined {
  const value = milliseconds(text)
  const fits = value !== null && value >= (milliseconds(min) ?? 0) && value <= (milliseconds(max) ?? 0)
  return fits ? value : undefined
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
