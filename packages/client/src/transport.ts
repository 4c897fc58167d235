import { errorOf, notFromApi, RadarError } from './radar-error.ts'

export type ClientOptions = {
  /** Where the service is, such as `https://radar.example.com`. */
  readonly baseUrl: string
  /** `rsk_…` */
  readonly token: string
  /** How long one request may take, 30 s by default; a call that waits for events takes as much longer as it waits. */
  readonly timeoutMs?: number
  /** How often a failed request is sent again, 2 by default. */
  readonly retries?: number
  /** Called before each wait for another try. */
  readonly onRetry?: (retry: Retry) => void
  /** Instead of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export type Retry = { readonly error: RadarError; readonly waitMs: number }

export type CallOptions = {
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v1`. */
  readonly path: string
  readonly query?: object
  readonly json?: unknown
  /** A body that is no JSON. */
  readonly text?: { readonly type: string; readonly body: string }
  readonly idempotencyKey?: string
  /** Added to the time that the request may take. */
  readonly waitMs?: number
  /** Overrides the option of the client. */
  readonly retries?: number
}

export type Transport = {
  /** The JSON of a successful answer; undefined for an empty one. Rejects with `RadarError`. */
  readonly json: (request: ApiRequest, call?: CallOptions) => Promise<unknown>
  /** Its stream, which may take longer than `timeoutMs`. */
  readonly stream: (request: ApiRequest, call?: CallOptions) => Promise<ReadableStream<Uint8Array>>
}

const TIMEOUT_MS = 30_000
const RETRIES = 2
const BACKOFF_MS = { first: 500, max: 30_000 }
/** A longer wait is for the caller to decide about: the error says how long. */
const RETRY_AFTER_MS_MAX = 60_000

export function createTransport(options: ClientOptions): Transport {
  const root = `${options.baseUrl.replace(/\/+$/, '')}/api/v1`
  const { token, timeoutMs = TIMEOUT_MS, retries = RETRIES, onRetry } = options
  // Called as a function of its own: some runtimes refuse `fetch` with another `this`.
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))

  async function sendOnce<Body>(
    request: ApiRequest,
    read: (answer: Response) => Body | Promise<Body>,
    signal: AbortSignal | undefined,
  ): Promise<Body> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeoutMs + (request.waitMs ?? 0))
    try {
      const answer = await send(`${root}${request.path}${queryOf(request.query ?? {})}`, {
        method: request.method,
        headers: headersOf(request, token),
        body: bodyOf(request),
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
        // A redirect would turn POST into GET.
        redirect: 'manual',
      })
      if (answer.ok) return await read(answer)
      throw await errorOf(answer)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof RadarError) throw error
      if (late.signal.aborted) {
        throw new RadarError('timed_out', `No answer within ${timeoutMs} ms.`, { cause: error })
      }
      throw new RadarError('unreachable', `No answer from ${options.baseUrl}.`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  async function sendWithRetries<Body>(
    request: ApiRequest,
    read: (answer: Response) => Body | Promise<Body>,
    signal: AbortSignal | undefined,
  ): Promise<Body> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await sendOnce(request, read, signal)
      } catch (error) {
        const waitMs = error instanceof RadarError ? retryWaitMs(error, request, tried) : null
        if (waitMs === null || tried >= (request.retries ?? retries)) throw error
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

async function jsonOf(answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw notFromApi(answer.status)
  }
}

/** Null: another try would not help, or might do the same twice. */
function retryWaitMs(error: RadarError, request: ApiRequest, tried: number): number | null {
  const { code, retryAfterMs } = error
  if (retryAfterMs !== null && retryAfterMs > RETRY_AFTER_MS_MAX) return null
  const isRepeatable = request.method !== 'POST' || request.idempotencyKey !== undefined
  const isTemporary = code === 'unreachable' || code === 'timed_out' || code === 'unavailable'
  // A request over a limit was not carried out.
  if (code !== 'rate_limited' && !(isTemporary && isRepeatable)) return null
  return retryAfterMs ?? backoffMs(tried)
}

/** Doubles with each failure up to half a minute; less by up to a half, so that many clients do not come at once. */
export function backoffMs(failures: number): number {
  const ms = Math.min(BACKOFF_MS.first * 2 ** failures, BACKOFF_MS.max)
  return ms * (1 - Math.random() / 2)
}

/** Rejects with the reason of the signal when it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
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

/** Values as the API reads them: dates as RFC 3339, lists separated by commas. What is not given is left out. */
function queryOf(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    parameters.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}
