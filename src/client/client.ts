import type { Me, WatchedApp } from '../contract/account.ts'
import type { AttemptView } from '../contract/attempt.ts'
import type {
  HookChangeBody,
  HookDetail,
  HookView,
  SubscribeBody,
  SubscribeResponse,
} from '../contract/hook.ts'
import type { EventList } from '../contract/v1/events.ts'
import type { ReviewPage } from '../contract/v1/reviews.ts'
import type { StoreConnectionView } from '../contract/v1/store-connections.ts'
import type { WebhookEvent } from '../contract/webhook.ts'

/** An error answer of the service: its HTTP status and its message. */
export class ApiResponseError extends Error {
  override readonly name = 'ApiResponseError'
  readonly status: number
  /** False for the answer of another program, such as a proxy. */
  readonly isFromApi: boolean

  constructor(status: number, body: string) {
    const error = errorIn(body)
    super(error ?? body.slice(0, 200))
    this.status = status
    this.isFromApi = error !== null
  }
}

export type Client = {
  /** Any call of the API. `path` is below `/api/v1`. */
  readonly call: <Answer>(
    method: Method,
    path: string,
    given?: {
      readonly query?: Query | undefined
      readonly body?: unknown
      readonly signal?: AbortSignal | undefined
    },
  ) => Promise<Answer>
  readonly subscribe: (body: SubscribeBody) => Promise<SubscribeResponse>
  readonly listHooks: () => Promise<HookView[]>
  readonly getHook: (id: string) => Promise<HookDetail>
  readonly changeHook: (id: string, body: HookChangeBody) => Promise<HookDetail>
  readonly unsubscribe: (id: string) => Promise<void>
  readonly testHook: (id: string) => Promise<AttemptView>
  readonly listApps: () => Promise<WatchedApp[]>
  readonly sample: (eventType?: string) => Promise<WebhookEvent[]>
  readonly me: () => Promise<Me>
  readonly listStoreConnections: () => Promise<StoreConnectionView[]>
  /** `body` as in docs/reference/api.md. */
  readonly connectStore: (body: unknown) => Promise<StoreConnectionView>
  readonly testStoreConnection: (id: string) => Promise<StoreConnectionView>
  readonly importStoreHistory: (id: string, appId: string) => Promise<StoreConnectionView>
  readonly stopStoreHistory: (id: string, appId: string) => Promise<StoreConnectionView>
  readonly removeStoreConnection: (id: string) => Promise<void>
  /** One page of reviews; `query` as in docs/reference/api.md. */
  readonly listReviews: (query: Query) => Promise<ReviewPage>
  /** The next events; `query` as in docs/reference/api.md. `signal` ends the wait. */
  readonly listEvents: (query: Query, signal?: AbortSignal) => Promise<EventList>
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Query parameters; undefined ones are omitted. */
export type Query = Readonly<Record<string, string | undefined>>

/**
 * Typed calls of the REST Hook API. Each rejects with `ApiResponseError` for an error answer, and like `fetch` when the
 * service is unreachable or does not answer within `timeoutMs` (default: the limits of `fetch`).
 */
export function createClient(options: {
  readonly baseUrl: string
  readonly token: string
  readonly timeoutMs?: number
}): Client {
  const root = `${options.baseUrl.replace(/(?<!\/)\/+$/, '')}/api/v1`

  async function call<Answer>(
    method: Method,
    path: string,
    {
      query = {},
      body,
      signal,
    }: { query?: Query | undefined; body?: unknown; signal?: AbortSignal | undefined } = {},
  ): Promise<Answer> {
    const limits = [
      ...(signal === undefined ? [] : [signal]),
      ...(options.timeoutMs === undefined ? [] : [AbortSignal.timeout(options.timeoutMs)]),
    ]
    const answer = await fetch(`${root}${path}${queryText(query)}`, {
      method,
      headers: {
        authorization: `Bearer ${options.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any(limits),
    })
    const text = await answer.text()
    if (!answer.ok) throw new ApiResponseError(answer.status, text)
    // Answers are not validated here: the tests of the service check them against the contract's schemas.
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  const connection = (id: string) => `/store-connections/${encodeURIComponent(id)}`
  const hook = (id: string) => `/hooks/${encodeURIComponent(id)}`

  return {
    call,
    subscribe: (body) => call('POST', '/hooks', { body }),
    listHooks: () => call('GET', '/hooks'),
    getHook: (id) => call('GET', hook(id)),
    changeHook: (id, body) => call('PATCH', hook(id), { body }),
    unsubscribe: (id) => call('DELETE', hook(id)),
    testHook: (id) => call('POST', `${hook(id)}/test`),
    listApps: () => call('GET', '/apps'),
    sample: (type) => call('GET', '/sample', { query: { event_type: type } }),
    me: () => call('GET', '/me'),
    listStoreConnections: () => call('GET', '/store-connections'),
    connectStore: (body) => call('POST', '/store-connections', { body }),
    testStoreConnection: (id) => call('POST', `${connection(id)}/test`),
    importStoreHistory: (id, appId) =>
      call('PUT', `${connection(id)}/apps/${encodeURIComponent(appId)}/history`),
    stopStoreHistory: (id, appId) =>
      call('DELETE', `${connection(id)}/apps/${encodeURIComponent(appId)}/history`),
    removeStoreConnection: (id) => call('DELETE', connection(id)),
    listReviews: (query) => call('GET', '/reviews', { query }),
    listEvents: (query, signal) => call('GET', '/events', { query, signal }),
  }
}

function queryText(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** The `error` that every error answer of the API has, or null. */
function errorIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error)
  } catch {
    // A proxy answered instead of the service.
  }
  return null
}
