import type { Me, WatchedApp } from '../contract/account.ts'
import type { AttemptView } from '../contract/attempt.ts'
import type { HookView, SubscribeBody, SubscribeResponse } from '../contract/hook.ts'
import type { WebhookEvent } from '../contract/webhook.ts'

/** The service answered with an error; `status` is the HTTP status, the message is its own. */
export class ApiResponseError extends Error {
  override readonly name = 'ApiResponseError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Client = {
  readonly subscribe: (body: SubscribeBody) => Promise<SubscribeResponse>
  readonly listHooks: () => Promise<HookView[]>
  readonly getHook: (id: string) => Promise<HookView>
  readonly unsubscribe: (id: string) => Promise<void>
  readonly testHook: (id: string) => Promise<AttemptView>
  readonly listApps: () => Promise<WatchedApp[]>
  readonly sample: (eventType?: string) => Promise<WebhookEvent[]>
  readonly me: () => Promise<Me>
}

/**
 * Typed calls of the REST Hook API. Each rejects with `ApiResponseError` when the service answers with an error, and as `fetch` does when
 * it is not reached, or does not answer within `timeoutMs`; absent means as long as `fetch` itself waits.
 */
export function createClient(options: {
  readonly baseUrl: string
  readonly token: string
  readonly timeoutMs?: number
}): Client {
  const root = `${options.baseUrl.replace(/\/+$/, '')}/api/v1`

  async function call<Answer>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const answer = await fetch(`${root}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${options.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: options.timeoutMs === undefined ? undefined : AbortSignal.timeout(options.timeoutMs),
    })
    const text = await answer.text()
    if (!answer.ok) throw new ApiResponseError(answer.status, refusalOf(text))
    // The service answers by the contract's schemas: that is tested there, not again at every call.
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  const hook = (id: string) => `/hooks/${encodeURIComponent(id)}`

  return {
    subscribe: (body) => call('POST', '/hooks', body),
    listHooks: () => call('GET', '/hooks'),
    getHook: (id) => call('GET', hook(id)),
    unsubscribe: (id) => call('DELETE', hook(id)),
    testHook: (id) => call('POST', `${hook(id)}/test`),
    listApps: () => call('GET', '/apps'),
    sample: (type) =>
      call('GET', `/sample${type === undefined ? '' : `?event_type=${encodeURIComponent(type)}`}`),
    me: () => call('GET', '/me'),
  }
}

function refusalOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error)
  } catch {
    // A proxy answered instead of the service.
  }
  return text.slice(0, 200)
}
