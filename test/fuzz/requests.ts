import { API_PREFIX } from '../../src/contract/route.ts'
import type { Random } from '../simulation/random.ts'
import { API_ROUTES, type ApiCalls, urlOf } from '../support/api-calls.ts'
import { HOSTILE_TEXTS } from '../support/chat/hostile-texts.ts'
import { consoleBodies } from '../support/console-calls.ts'
import type { ServedRoute } from '../support/route-table.ts'

export type FuzzRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The value of a field, a part of a path or of a query. No text is the address of a reachable host. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 1e-7],
  ...[
    '',
    ' ',
    '\0',
    '\u{d800}',
    '\u{ffff}',
    '\u202e',
    '🎉',
    '%',
    '%00',
    "' or 1=1 --",
    '../../etc/passwd',
    '{{x}}',
    '__proto__',
  ],
  ...[
    'constructor',
    'all',
    'apple',
    'google',
    'us',
    '1',
    '-0',
    'NaN',
    'Infinity',
    '1e400',
    '0x10',
    '９',
    'ß'.repeat(300),
  ],
  ...[
    '2026-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00Z',
  ],
  ...[
    'a'.repeat(64),
    'f'.repeat(64),
    'x'.repeat(10_000),
    'review.created',
    'rating.dropped',
    'http://127.0.0.1:9/',
    'http://[::1',
    'javascript:1',
  ],
  ...[
    'http://127.0.0.1:9/\u{d800}',
    'http://user:pass@127.0.0.1:9/',
    'ftp://127.0.0.1',
    'a@127.0.0.1',
    'rsk_x',
    'whsec_AAAA',
  ],
  ...[[], {}, [[]], [null], [{}], { toString: 1 }, Array(1_000).fill(0), nested(200)],
  ...HOSTILE_TEXTS,
]

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let n = 0; n < depth; n += 1) value = n % 2 === 0 ? [value] : { a: value }
  return value
}

/** Bodies that are no JSON, or not that of a route. */
const RAW_BODIES: readonly string[] = [
  ...[
    '',
    '{',
    '[',
    'null',
    'true',
    '"x"',
    '1',
    '[]',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1}}',
    '\ufeff{}',
    '\0',
    '{"a":"\\ud800"}',
  ],
  ...[
    '['.repeat(30_000),
    '{"a":'.repeat(10_000),
    `{"a":"${'x'.repeat(70_000)}"}`,
    '1e999',
    '{"a":1e999}',
    'a=1&b=2',
    'id,rating\n1,5\n',
  ],
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/csv',
  'application/jsonl',
  'text/plain',
  'multipart/form-data',
  '',
]

/** What no request may do: end the session or the token that the others use, or wait. */
const LEFT_OUT = /^(GET .*\/stream|DELETE .*\/(sessions|members|tokens)\/:.*|.* \/mcp|GET \/\*)$/
const PATHS_OF_SIGN_IN = [
  'sign-in/email',
  'reset-password',
  'two-factor/verify-totp',
  'two-factor/disable',
  'x',
  '',
]

export type Fuzzed = {
  readonly random: Random
  readonly calls: ApiCalls
  readonly appId: string
  readonly served: readonly ServedRoute[]
  readonly token: string
  readonly cookie: string
}

/** The next request: a call of a route, with one or more of its values replaced by hostile ones. */
export function fuzzRequests({ random, calls, appId, served, token, cookie }: Fuzzed): () => FuzzRequest {
  const bodies = bodiesOf(calls, appId)
  const queries = queriesOf()
  const routes = served.filter(({ method, url }) => !LEFT_OUT.test(`${method} ${url}`))
  const hostile = () => random.pick(HOSTILE)
  const text = () => {
    const value = hostile()
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  }

  const pathOf = (method: string, url: string) => {
    // A deletion of what exists would leave nothing to call.
    const valid = method !== 'DELETE' && random.chance(0.5) ? calls.pathOf(url) : url
    return valid
      .split('/')
      .map((part) => (part.startsWith(':') ? encoded(text()).slice(0, 2_000) : part))
      .join('/')
  }
  const queryOf = (key: string) => {
    if (random.chance(0.4)) return ''
    const names = queries.get(key) ?? []
    const count = random.below(4)
    const pairs = Array.from({ length: count }, () => {
      const name = names.length > 0 && random.chance(0.9) ? random.pick(names) : text()
      return `${encoded(name).slice(0, 200)}=${encoded(text()).slice(0, 1_000)}`
    })
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  }
  const mutated = (value: unknown, depth = 0): unknown => {
    if (random.chance(depth === 0 ? 0.05 : 0.25)) return hostile()
    if (Array.isArray(value)) return value.map((each) => mutated(each, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).filter(() => !random.chance(0.1))
    if (random.chance(0.2)) fields.push([text().slice(0, 50), hostile()])
    return Object.fromEntries(fields.map(([name, each]) => [name, mutated(each, depth + 1)]))
  }

  return () => {
    const route = random.pick(routes)
    const key = `${route.method} ${route.url}`
    const method = random.chance(0.02)
      ? random.pick(['OPTIONS', 'PATCH', 'PUT', 'HEAD', 'DELETE'])
      : route.method
    const url = route.url.replace('*', random.pick(PATHS_OF_SIGN_IN))
    const takesBody = route.method !== 'GET'
    const isRaw = random.chance(0.1)
    const body = takesBody
      ? isRaw
        ? random.pick(RAW_BODIES)
        : JSON.stringify(mutated(bodies.get(key) ?? {}))
      : null
    const type = random.chance(0.95) ? 'application/json' : random.pick(TYPES)
    const isProgram = url.startsWith(API_PREFIX) && random.chance(0.7)
    return {
      method,
      path: pathOf(method, url) + queryOf(key),
      headers: {
        ...(isProgram ? { authorization: `Bearer ${token}` } : { cookie, 'x-radar-console': '1' }),
        ...(takesBody && type !== '' && { 'content-type': type }),
        ...(random.chance(0.05) && { 'idempotency-key': encoded(text()).slice(0, 300) }),
        ...(random.chance(0.05) && { 'if-none-match': encoded(text()).slice(0, 300) }),
      },
      body,
    }
  }
}

/** Percent encoding that keeps what is no text: lone surrogates become bytes that are not UTF-8. */
function encoded(text: string): string {
  return text.toWellFormed() === text ? encodeURIComponent(text) : '%ED%A0%80'
}

function bodiesOf(calls: ApiCalls, appId: string): ReadonlyMap<string, unknown> {
  const rest = API_ROUTES.map(
    ([operation, route]) => [`${route.method} ${urlOf(route)}`, calls.bodies[operation]] as const,
  )
  const ofConsole = Object.entries(consoleBodies(appId)).map(
    ([key, body]) => [key.replace(' ', ' /api/console'), body] as const,
  )
  const known = [...rest, ...ofConsole]
  // No request of a fuzz test leaves the machine.
  return new Map(
    known.map(([key, body]) => [
      key,
      JSON.parse(
        JSON.stringify(body ?? {}).replaceAll(
          /https:\/\/(example\.com|hooks\.slack\.com)/g,
          'http://127.0.0.1:9',
        ),
      ),
    ]),
  )
}

function queriesOf(): ReadonlyMap<string, readonly string[]> {
  // `wait` holds a request for seconds.
  return new Map(
    API_ROUTES.map(([, route]) => [
      `${route.method} ${urlOf(route)}`,
      Object.keys(route.query?.shape ?? {}).filter((name) => name !== 'wait'),
    ]),
  )
}
