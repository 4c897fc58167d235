import { type Dedupe, processOnce } from './dedupe.ts'
import type { WebhookEvent } from './events.ts'
import type { RequestHeaders } from './headers.ts'
import { ReceiverError } from './receiver-error.ts'
import { type RawBody, type VerifyOptions, verify } from './verify.ts'

export type HandlerOptions = VerifyOptions & {
  /**
   * Called for each verified event. The handler acknowledges the request when this resolves. The service waits 15
   * seconds, so store or queue the event here and do slow work later. If this rejects, the service retries.
   */
  readonly onEvent: (event: WebhookEvent) => unknown
  /** Calls `onEvent` once per event instead of once per request. */
  readonly dedupe?: Dedupe
  /** Called with a `ReceiverError` for each rejected request, and with errors of `onEvent` and `dedupe`. */
  readonly onError?: (error: unknown) => void
}

/** The response to a request, for frameworks without an adapter. */
export type HandlerResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Events are at most 256 KiB. */
export const BODY_BYTES_MAX = 1_048_576

const ACKNOWLEDGED: HandlerResponse = { status: 204, headers: {}, body: '' }
/** Seconds until the service retries an event in progress. */
const BUSY_RETRY_S = '5'

/**
 * Verifies a request, passes its event to `onEvent` and returns the response. Never rejects. `read` returns the raw body
 * and may throw a `ReceiverError`. 204: processed, now or before. 4xx: rejected. 503: in progress. 500: `onEvent`
 * failed, or the receiver is misconfigured.
 */
export async function handle(
  request: {
    readonly method: string | undefined
    readonly headers: RequestHeaders
    readonly read: () => Promise<RawBody> | RawBody
  },
  options: HandlerOptions,
): Promise<HandlerResponse> {
  if (request.method !== 'POST') {
    return errorResponse(405, 'method_not_allowed', 'Only POST is accepted.', { allow: 'POST' })
  }
  try {
    const event = await verify(await request.read(), request.headers, options)
    const process = () => options.onEvent(event)
    if (options.dedupe === undefined) await process()
    else if ((await processOnce(options.dedupe, event.event_id, process)) === 'busy') {
      return errorResponse(503, 'busy', 'Another request is processing this event.', {
        'retry-after': BUSY_RETRY_S,
      })
    }
    return ACKNOWLEDGED
  } catch (error) {
    options.onError?.(error)
    if (!(error instanceof ReceiverError))
      return errorResponse(500, 'failed', 'The event could not be processed.')
    return errorResponse(error.status, error.code, error.message)
  }
}

/** The service stores the response with the attempt, so the console shows why a request was rejected. */
function errorResponse(
  status: number,
  code: string,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): HandlerResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error, code }),
  }
}

/** Concatenates chunks. Throws `body_too_large`. */
export async function readChunks(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) {
      throw new ReceiverError('body_too_large', `The body has more than ${BODY_BYTES_MAX} bytes.`)
    }
    read.push(chunk)
  }
  const body = new Uint8Array(bytes)
  let at = 0
  for (const chunk of read) {
    body.set(chunk, at)
    at += chunk.length
  }
  return body
}
