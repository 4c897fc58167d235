import type { Attempt } from '../../model/delivery.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Egress, EgressAnswer, EgressRequest } from '../../runtime/egress/egress.ts'
import { retryAfterMs } from '../../runtime/retry-after.ts'
import { type AttemptOutcome, RETRY_AFTER_MS_MAX } from './after-attempt.ts'
import { SIGNATURE_HEADERS, signatureHeaders } from './signature.ts'

export type AttemptDeps = {
  readonly egress: Egress
  readonly clock: Clock
  /** `ReviewRadar/<version>`. */
  readonly userAgent: string
}

export type AttemptRequest = {
  readonly eventId: string
  readonly targetUrl: string
  /** The stored body: the bytes that are signed and sent. */
  readonly body: string
  /** In the clear, current first, at least one. */
  readonly secrets: readonly string[]
  /** Which attempt of its schedule this is; the first is 1. */
  readonly number: number
  readonly replayId?: string | null
}

export type AttemptRecord = {
  /** What is stored. Holds no secret and no signature. */
  readonly attempt: Attempt
  /** What the rule of `after-attempt.ts` decides by. */
  readonly outcome: AttemptOutcome
  /** A kept connection was closed under the request, and it was made again within this attempt. */
  readonly reconnected: boolean
  /** The error of ours that ended the request, such as the death of the thread that makes them; null but for a bug. */
  readonly mistake: unknown
}

/** Read before the connection is given up: more than is kept, so that an ordinary error page does not cost it. */
const BODY_BYTES_MAX = 65_536
const BODY_BYTES_KEPT = 16_384
const HEADER_CHARS_KEPT = 8_192

/** Waits that a receiver may ask for: RFC 9110 10.2.3 names 503, RFC 6585 4 names 429. */
const RETRY_AFTER_STATUSES: readonly number[] = [429, 503]

/**
 * Makes one request of a delivery and returns its record. `timeoutMs` covers connecting, headers and body; `signal`
 * ends it with the outcome `interrupted`, which is not counted. An internal error that ends the request counts, so that a
 * delivery that causes one each time ends as a dead letter that people see.
 */
export async function attempt(
  deps: AttemptDeps,
  request: AttemptRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<AttemptRecord> {
  const startedAt = deps.clock.now()
  const startedMs = deps.clock.monotonicMs()
  const body = Buffer.from(request.body)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': deps.userAgent,
    ...signatureHeaders({ secrets: request.secrets, eventId: request.eventId, body, at: startedAt }),
  }
  const { answer, mistake } = await requested(deps, startedMs, {
    method: 'POST',
    url: request.targetUrl,
    headers,
    // The text, of which the bytes signed above were made: it goes to another thread at less cost.
    body: request.body,
    timeoutMs,
    bodyBytesMax: BODY_BYTES_MAX,
    signal,
  })
  const outcome = outcomeOf(answer, deps.clock.now())
  for (const name of SIGNATURE_HEADERS) headers[name] = '(masked)'
  return {
    attempt: {
      number: request.number,
      startedAt,
      timings: answer.timings,
      url: request.targetUrl,
      requestHeaders: headers,
      httpStatus: answer.status,
      reason: reasonOf(outcome),
      detail: answer.kind === 'failed' ? answer.detail : detailOf(outcome),
      remoteAddress: answer.remoteAddress,
      replayId: request.replayId ?? null,
      ...keptAnswer(answer),
    },
    outcome,
    reconnected: answer.reconnected ?? false,
    mistake,
  }
}

/** In place of an answer when an internal error ended the request. */
type BrokenAnswer = Omit<Extract<EgressAnswer, { kind: 'failed' }>, 'reason'> & {
  readonly reason: 'internal_error'
}

async function requested(
  { egress, clock }: AttemptDeps,
  startedMs: number,
  request: EgressRequest,
): Promise<{ readonly answer: EgressAnswer | BrokenAnswer; readonly mistake: unknown }> {
  try {
    return { answer: await egress.request(request), mistake: null }
  } catch (mistake) {
    const totalMs = Math.round(clock.monotonicMs() - startedMs)
    const answer = {
      kind: 'failed',
      reason: 'internal_error',
      detail: 'A mistake of the service itself ended the request; its log tells which (delivery.failed).',
      status: null,
      remoteAddress: null,
      timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs },
    } as const
    return { answer, mistake }
  }
}

/** Only 200 to 299 accepts; a redirect is a failure with a reason of its own, because the cure is to correct the URL. */
function outcomeOf(answer: EgressAnswer | BrokenAnswer, now: Date): AttemptOutcome {
  if (answer.kind === 'failed') {
    if (answer.reason === 'interrupted') return { kind: 'interrupted' }
    if (answer.reason === 'blocked_address' || answer.reason === 'invalid_request') {
      return { kind: 'permanent', reason: answer.reason }
    }
    return { kind: 'failed', reason: answer.reason, httpStatus: answer.status, retryAfterMs: null }
  }
  const { status } = answer
  if (status >= 200 && status <= 299) return { kind: 'accepted', httpStatus: status }
  return {
    kind: 'failed',
    reason: status >= 300 && status <= 399 ? 'redirect' : 'http_status',
    httpStatus: status,
    retryAfterMs: RETRY_AFTER_STATUSES.includes(status)
      ? retryAfterMs(answer.headers, { maxMs: RETRY_AFTER_MS_MAX, now })
      : null,
  }
}

function reasonOf(outcome: AttemptOutcome): Attempt['reason'] {
  if (outcome.kind === 'accepted') return null
  return outcome.kind === 'interrupted' ? 'interrupted' : outcome.reason
}

function detailOf(outcome: AttemptOutcome): string | null {
  if (outcome.kind !== 'failed') return null
  return outcome.reason === 'redirect'
    ? `The target answered with HTTP ${outcome.httpStatus}; redirects are not followed.`
    : `The target answered with HTTP ${outcome.httpStatus}.`
}

function keptAnswer(
  answer: EgressAnswer | BrokenAnswer,
): Pick<Attempt, 'responseHeaders' | 'responseBody' | 'responseTruncated'> {
  if (answer.kind === 'failed') return { responseHeaders: {}, responseBody: '', responseTruncated: false }
  const kept = keptHeaders(answer.headers)
  return {
    responseHeaders: kept.headers,
    responseBody: harmlessText(answer.body),
    responseTruncated: answer.truncated || answer.body.length > BODY_BYTES_KEPT || kept.dropped,
  }
}

/** All but cookies, which are credentials, up to 8 KiB; a header that does not fit is left out whole. */
function keptHeaders(headers: Readonly<Record<string, string>>) {
  const kept: [string, string][] = []
  let room = HEADER_CHARS_KEPT
  let dropped = false
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'set-cookie') continue
    const size = name.length + value.length
    if (size > room) {
      dropped = true
      continue
    }
    room -= size
    kept.push([name, value])
  }
  return { headers: Object.fromEntries(kept), dropped }
}

/** Text that every database and JSON can hold: bytes that are not UTF-8 and NULs become U+FFFD. Still hostile to show. */
function harmlessText(body: Buffer): string {
  const text = body.toString('utf8', 0, Math.min(body.length, BODY_BYTES_KEPT))
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
