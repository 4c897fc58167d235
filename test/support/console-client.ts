import { accountOperations } from '../../src/operations/accounts/accounts.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { configOf } from '../../src/service/config/config.ts'
import { secretKeyOf } from '../../src/service/secret-key.ts'
import { type OpenSignIn, openSignIn } from '../../src/service/sign-in/open.ts'
import type { TestService } from './service.ts'

export type ConsoleAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON. Throws if it is not JSON. */
  readonly json: <T>() => T
}

/**
 * A client like the console's pages, with their request header and a cookie jar. Paths under `/v1/` are of the REST API, the others of
 * `/api/console`.
 */
export type ConsoleClient = {
  readonly request: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<ConsoleAnswer>
  /** The response's body as JSON. Throws for an error status. */
  readonly fetchJson: <T>(method: string, path: string, body?: unknown) => Promise<T>
  readonly cookie: () => string
}

export function consoleClient(url: string): ConsoleClient {
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const client: ConsoleClient = {
    cookie,
    async request(method, path, body, headers = {}) {
      const answer = await fetch(`${url}/api${path.startsWith('/v1/') ? '' : '/console'}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          'x-radar-console': '1',
          ...(jar.size === 0 ? {} : { cookie: cookie() }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, at))
        else jar.set(pair.slice(0, at), pair.slice(at + 1))
      }
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, json: <T>() => JSON.parse(text) as T }
    },
    async fetchJson<T>(method: string, path: string, body?: unknown) {
      const answer = await client.request(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      return (answer.text === '' ? undefined : answer.json()) as T
    },
  }
  return client
}

export type SignedIn = ConsoleClient & { readonly accountId: string; readonly email: string }

export const PASSWORD = 'correct horse battery'

/** The users and sessions of a service, without its HTTP interface. */
export function signInOf(running: TestService): OpenSignIn {
  const config = configOf(running.environment)
  return openSignIn({
    databaseUrl: config.databaseUrl,
    secretKey: secretKeyOf(config),
    urls: () => ({ publicUrl: running.url, localUrl: running.url }),
    log: silentLog,
  })
}

/** Creates an account and signs its owner in. The first owner of a service is its operator. */
export async function signedIn(running: TestService, name: string): Promise<SignedIn> {
  const email = `${name.toLowerCase()}@example.com`
  await using opened = signInOf(running)
  const { accountId } = await accountOperations({
    users: opened.get,
    accounts: running.service.storage.accounts,
    people: running.service.storage.people,
    attemptLimits: running.service.storage.attemptLimits,
    clock: systemClock,
    setupCode: async () => '',
    signup: 'closed',
  }).create({ name, email, password: PASSWORD, accountName: `${name}'s` })
  const client = consoleClient(running.url)
  await signInAgain(client, email)
  return { ...client, accountId, email }
}

export async function signInAgain(client: ConsoleClient, email: string, password = PASSWORD): Promise<void> {
  const answer = await client.request('POST', '/auth/sign-in/email', { email, password, rememberMe: true })
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.status} ${answer.text}`)
}
