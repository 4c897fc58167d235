import { errorOf, notFromApi, RadarError } from './radar-error.ts'

export type ClientOptions = {
  /** The URL of the service, such as `https://radar.example.com`. */
  readonly baseUrl: string
  /** An API token: `rsk_…`. */
  readonly token: string
  /** Timeout of one request, 30 s by default. For event requests, their wait time is added. */
  readonly timeoutMs?: number
  /** Maximum retries of a request, 2 by default. */
  readonly retries?: number
  /** Called before each retry. */
  readonly onRetry?: (retry: Retry) => void
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export type Retry = { readonly error: RadarError; readonly waitMs: number }

export type CallOptions = {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** One call of the API, whose answer has this body. */
export type Call = <Body>(request: ApiRequest, callOptions?: CallOptions) => Promise<Body>

export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/api/v1`. */
  readonly path: string
  readonly query?: object
  readonly json?: unknown
  /** A body that is not JSON. */
  readonly text?: { readonly type: string; readonly body: string }
  readonly idempotencyKey?: string
  /** Added to the timeout. */
  readonly waitMs?: number
  /** Overrides the option of the client. */
  readonly retries?: number
}

export type Transport = {
  /** The JSON of a successful response, or undefined if empty. Rejects with `RadarError`. */
  readonly json: (request: ApiRequest, call?: CallOptions) => Promise<unknown>
  /** The body as a stream, which may take longer than `timeoutMs`. */
  readonly stream: (request: ApiRequest, call?: CallOptions) => Promise<ReadableStream<Uint8Array>>
}

const TIMEOUT_MS = 30_000
const RETRIES = 2
const BACKOFF_MS = { first: 500, max: 30_000 }
/** Calls with a longer wait reject: the caller finds the wait in the error. */
const RETRY_AFTER_MS_MAX = 60_000

export function createTransport(options: ClientOptions): Transport {
  const root = `${options.baseUrl.replace(/(?<!\/)\/+$/, '')}/api/v1`
  const { token, timeoutMs = TIMEOUT_MS, retries = RETRIES, onRetry } = options
  // Some runtimes reject a call of `fetch` with another `this`.
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))

  async function sendOnce<Body>(
    request: ApiRequest,
    read: (response: Response) => Body | Promise<Body>,
    signal: AbortSignal | undefined,
  ): Promise<Body> {
    const timeout = new AbortController()
    const limitMs = timeoutMs + (request.waitMs ?? 0)
    const timer = setTimeout(() => timeout.abort(), limitMs)
    try {
      const response = await send(`${root}${request.path}${queryOf(request.query ?? {})}`, {
        method: request.method,
        headers: headersOf(request, token),
        body: bodyOf(request),
        signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
        // A redirect would turn POST into GET.
        redirect: 'manual',
      })
      if (response.ok) return await read(response)
      throw await errorOf(response)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof RadarError) throw error
      if (timeout.signal.aborted) {
        throw new RadarError('timed_out', `No response within ${limitMs} ms.`, { cause: error })
      }
      throw new RadarError('unreachable', `No response from ${options.baseUrl}.`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  async function sendWithRetries<Body>(
    request: ApiRequest,
    read: (response: Response) => Body | Promise<Body>,
    signal: AbortSignal | undefined,
  ): Promise<Body> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await sendOnce(request, read, signal)
      } catch (error) {
        const waitMs = error instanceof RadarError ? retryWaitMs(error, request, failures) : null
        if (waitMs === null || failures >= (request.retries ?? retries)) throw error
        onRetry?.({ error: error as RadarError, waitMs })
        await sleep(waitMs, signal)
      }
    }
  }

  return {
    json: (request, { signal } = {}) => sendWithRetries(request, jsonOf, signal),
    stream: (request, { signal } = {}) =>
      sendWithRetries(request, ({ body }) => body ?? new Blob([]).stream(), signal),
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw notFromApi(response.status)
  }
}

/** Null if a retry would not help or could repeat the effect. */
function retryWaitMs(error: RadarError, request: ApiRequest, failures: number): number | null {
  const { code, retryAfterMs } = error
  if (retryAfterMs !== null && retryAfterMs > RETRY_AFTER_MS_MAX) return null
  const isIdempotent = request.method !== 'POST' || request.idempotencyKey !== undefined
  const isTemporary = code === 'unreachable' || code === 'timed_out' || code === 'unavailable'
  // The service did not execute a rate-limited request.
  if (code !== 'rate_limited' && !(isTemporary && isIdempotent)) return null
  return retryAfterMs ?? backoffMs(failures)
}

/** Exponential backoff up to 30 s, with a jitter of up to half, so that clients do not retry at the same time. */
export function backoffMs(failures: number): number {
  const ms = Math.min(BACKOFF_MS.first * 2 ** failures, BACKOFF_MS.max)
  return ms * (1 - Math.random() / 2)
}

/** Timers with a longer wait end at once. */
const SLEEP_MS_MAX = 2 ** 31 - 1

/** Rejects with the signal's reason when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      },
      Math.min(ms, SLEEP_MS_MAX),
    )
    signal?.addEventListener('abort', abort, { once: true })
  })
}

function headersOf({ json, text, idempotencyKey }: ApiRequest, token: string): Record<string, string> {
  const type = text?.type ?? (json === undefined ? null : 'application/json')
  return {
    authorization: `Bearer ${token}`,
    ...(type !== null && { 'content-type': type }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
}

function bodyOf({ json, text }: ApiRequest): string | null {
  return text?.body ?? (json === undefined ? null : JSON.stringify(json))
}

/** Encodes dates as RFC 3339 and lists with commas, and leaves out missing values. */
function queryOf(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    parameters.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}
