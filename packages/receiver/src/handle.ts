import { type Dedupe, processOnce } from './dedupe.ts'
import type { WebhookEvent } from './events.ts'
import type { RequestHeaders } from './headers.ts'
import { ReceiverError } from './receiver-error.ts'
import { type RawBody, type VerifyOptions, verify } from './verify.ts'

export type HandlerOptions = VerifyOptions & {
  /**
   * Called for each verified event. The request is acknowledged when it resolves, so store or queue the event here and
   * do slow work later: the service waits 15 seconds. When it rejects, the service tries again.
   */
  readonly onEvent: (event: WebhookEvent) => unknown
  /** Calls `onEvent` once for each event instead of once for each request. */
  readonly dedupe?: Dedupe
  /** Called with a `ReceiverError` for each refused request, and with what `onEvent` or `dedupe` rejected with. */
  readonly onError?: (error: unknown) => void
}

/** The answer to a request, for a framework that has no adapter here. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Events have at most 256 KiB. */
export const BODY_BYTES_MAX = 1_048_576

const ACKNOWLEDGED: Answer = { status: 204, headers: {}, body: '' }
/** Seconds until the service sends an event again that is still being processed. */
const BUSY_RETRY_S = '5'

/**
 * Verifies a request, gives its event to `onEvent` and returns the answer; never rejects. `read` returns the raw body
 * and may throw a `ReceiverError`. 204: processed, now or before. 4xx: refused. 503: being processed. 500: `onEvent`
 * failed, or the receiver is set up wrongly.
 */
export async function handle(
  request: {
    readonly method: string | undefined
    readonly headers: RequestHeaders
    readonly read: () => Promise<RawBody> | RawBody
  },
  options: HandlerOptions,
): Promise<Answer> {
  if (request.method !== 'POST') {
    return refusal(405, 'method_not_allowed', 'Only POST is accepted.', { allow: 'POST' })
  }
  try {
    const event = await verify(await request.read(), request.headers, options)
    const process = () => options.onEvent(event)
    if (options.dedupe === undefined) await process()
    else if ((await processOnce(options.dedupe, event.event_id, process)) === 'busy') {
      return refusal(503, 'busy', 'The event is being processed now.', { 'retry-after': BUSY_RETRY_S })
    }
    return ACKNOWLEDGED
  } catch (error) {
    options.onError?.(error)
    if (!(error instanceof ReceiverError)) return refusal(500, 'failed', 'The event could not be processed.')
    return refusal(error.status, error.code, error.message)
  }
}

/** The service keeps the answer with the attempt, so the console shows why a request was refused. */
function refusal(
  status: number,
  code: string,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error, code }),
  }
}

/** Reads chunks up to the largest body. Throws `body_too_large`. */
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
