import { test } from 'node:test'
import { TOKEN_SCOPES } from '../../src/model/vocabulary.ts'
import { type SignedIn, signedIn } from './console-client.ts'
import { radarCommand } from './radar-command.ts'
import type { TestService } from './service.ts'

/**
 * The interfaces to the operations: the REST API, the console's API and the commands. Tests run an operation through all
 * its interfaces and expect the same limits, errors, effects and isolation.
 */

/** `failed` and `usage` are exit statuses of commands. Other HTTP errors are `status <number>`. */
export type Outcome =
  | 'done'
  | 'invalid'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'key_reused'
  | 'rate_limited'
  | 'failed'
  | 'usage'
  | `status ${number}`

export type CallResult = {
  readonly outcome: Outcome
  /** The error message; empty on success. */
  readonly error: string
  /** The raw result: JSON of an API or output of a command. */
  readonly text: string
  /** The result as JSON, or undefined if empty. */
  readonly json: <T>() => T
}

/** An account with access through all interfaces: a token, a session of its owner, and its ID for commands. */
export type Tenant = {
  readonly accountId: string
  readonly token: string
  /** A request to `/api/v1`. */
  readonly api: (
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<CallResult>
  /** A request to `/api/console`. */
  readonly console: (method: string, path: string, body?: object) => Promise<CallResult>
  /** Runs `radar <words>` on the database of the service. */
  readonly command: (...words: string[]) => Promise<CallResult>
  /** The client of the owner's session. */
  readonly owner: SignedIn
}

/** Creates an account with an owner and a token. */
export async function tenant(running: TestService, name: string): Promise<Tenant> {
  const owner = await signedIn(running, name)
  const { value: token } = await owner.fetchJson<{ value: string }>('POST', '/tokens', {
    name,
    scopes: TOKEN_SCOPES,
  })
  return {
    accountId: owner.accountId,
    token,
    owner,
    async api(method, path, body, headers = {}) {
      const answer = await running.request(`/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return httpAnswer(answer)
    },
    console: async (method, path, body) => httpAnswer(await owner.request(method, path, body)),
    async command(...words) {
      const { status, out, err } = await radarCommand(words, running.environment)
      const outcome = status === 0 ? 'done' : status === 2 ? 'usage' : 'failed'
      return { outcome, error: outcome === 'done' ? '' : err.trim(), text: out, json: () => JSON.parse(out) }
    },
  }
}

/** Defines one test per interface, with its name in the title. */
export function forEachInterface<Interface>(
  interfaces: Readonly<Record<string, Interface>>,
  title: string,
  body: (via: Interface) => Promise<void>,
): void {
  for (const [name, via] of Object.entries(interfaces)) test(`${title} (${name})`, () => body(via))
}

const OUTCOMES: Readonly<Record<number, Outcome>> = {
  400: 'invalid',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'key_reused',
  429: 'rate_limited',
}

function httpAnswer({ status, text }: { readonly status: number; readonly text: string }): CallResult {
  const outcome = status < 300 ? 'done' : (OUTCOMES[status] ?? (`status ${status}` as const))
  const json = <T>() => (text === '' ? undefined : JSON.parse(text)) as T
  return { outcome, error: outcome === 'done' ? '' : json<{ error: string }>().error, text, json }
}
