import { cloudEventHeaders } from '../../model/cloud-events.ts'
import type { Attempt } from '../../model/delivery.ts'
import { hasReceiver, isInbox } from '../../model/inbox.ts'
import { SIGNATURE_HEADERS, signatureHeaders } from '../../model/signature.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Egress, EgressAnswer, EgressRequest } from '../../runtime/egress/egress.ts'
import { retryAfterMs } from '../../runtime/retry-after.ts'
import { type AttemptOutcome, RETRY_AFTER_MS_MAX } from './after-attempt.ts'

export type AttemptDeps = {
  readonly egress: Egress
  readonly clock: Clock
  /** `ReviewRadar/<version>`. */
  readonly userAgent: string
}

export type AttemptRequest = {
  readonly eventId: string
  readonly targetUrl: string
  /** The stored body, which is signed and sent as it is. */
  readonly body: string
  /** Plaintext secrets, the current one first; at least one. */
  readonly secrets: readonly string[]
  /** The number of this attempt in its schedule, from 1. */
  readonly number: number
  readonly replayId?: string | null
  /** Adds the headers of CloudEvents; the body must be an event. */
  readonly cloudEvents?: boolean
}

export type AttemptRecord = {
  /** The stored record, without secrets and signatures. */
  readonly attempt: Attempt
  /** Input of `afterAttempt`. */
  readonly outcome: AttemptOutcome
  /** A keep-alive connection closed during the request, so this attempt sent it again. */
  readonly reconnected: boolean
  /** The internal error that ended the request, such as a crash of the egress thread; null otherwise. */
  readonly internalError: unknown
}

/**
 * The most bytes to read of a response. It is more than is stored, so that reading a whole error page keeps the
 * connection alive.
 */
const BODY_BYTES_MAX = 65_536
const STORED_BODY_BYTES_MAX = 16_384
const STORED_HEADER_CHARS_MAX = 8_192

/** Statuses whose `Retry-After` counts: RFC 9110 10.2.3 names 503, RFC 6585 4 names 429. */
const RETRY_AFTER_STATUSES: readonly number[] = [429, 503]

/**
 * Makes one request of a delivery, none without a receiver, and returns its record. `timeoutMs` covers connecting, headers and body; `signal`
 * ends it with the outcome `interrupted`, which does not count. An internal error counts, so that a delivery that causes
 * one each time becomes a dead letter that people see.
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
  const headers = {
    'content-type': 'application/json',
    'user-agent': deps.userAgent,
    ...(request.cloudEvents === true ? cloudEventHeaders(request.body) : {}),
    ...signatureHeaders({ secrets: request.secrets, eventId: request.eventId, body, at: startedAt }),
  }
  const masked = { ...headers, ...Object.fromEntries(SIGNATURE_HEADERS.map((name) => [name, '(masked)'])) }
  if (!hasReceiver(request)) return withoutRequest(request, startedAt, masked)
  const { answer, internalError } = await send(deps, startedMs, {
    method: 'POST',
    url: request.targetUrl,
    headers,
    // Text instead of bytes, because it is cheaper to pass to another thread.
    body: request.body,
    timeoutMs,
    bodyBytesMax: BODY_BYTES_MAX,
    signal,
  })
  const outcome = outcomeOf(answer, deps.clock.now())
  return {
    attempt: {
      number: request.number,
      startedAt,
      timings: answer.timings,
      url: request.targetUrl,
      requestHeaders: masked,
      httpStatus: answer.status,
      reason: reasonOf(outcome),
      detail: answer.kind === 'failed' ? answer.detail : detailOf(outcome),
      remoteAddress: answer.remoteAddress,
      replayId: request.replayId ?? null,
      ...storedResponse(answer),
    },
    outcome,
    reconnected: answer.reconnected ?? false,
    internalError,
  }
}

/** Makes no request: the stored event is what the inbox shows and what programs pull. The headers are those that a webhook would have. */
function withoutRequest(
  { number, targetUrl, replayId }: AttemptRequest,
  startedAt: Date,
  requestHeaders: Readonly<Record<string, string>>,
): AttemptRecord {
  return {
    attempt: {
      number,
      startedAt,
      timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
      url: targetUrl,
      requestHeaders,
      httpStatus: null,
      reason: null,
      detail: `${isInbox({ targetUrl }) ? 'Shown in the inbox of the console' : 'Available to programs that pull events'}. No request was made.`,
      remoteAddress: null,
      replayId: replayId ?? null,
      responseHeaders: {},
      responseBody: '',
      responseTruncated: false,
    },
    outcome: { kind: 'accepted', httpStatus: null },
    reconnected: false,
    internalError: null,
  }
}

/** Replaces the answer when an internal error ended the request. */
type InternalErrorAnswer = Omit<Extract<EgressAnswer, { kind: 'failed' }>, 'reason'> & {
  readonly reason: 'internal_error'
}

async function send(
  { egress, clock }: AttemptDeps,
  startedMs: number,
  request: EgressRequest,
): Promise<{ readonly answer: EgressAnswer | InternalErrorAnswer; readonly internalError: unknown }> {
  try {
    return { answer: await egress.request(request), internalError: null }
  } catch (internalError) {
    const totalMs = Math.round(clock.monotonicMs() - startedMs)
    const answer = {
      kind: 'failed',
      reason: 'internal_error',
      detail: 'An internal error ended the request. See delivery.failed in the log.',
      status: null,
      remoteAddress: null,
      timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs },
    } as const
    return { answer, internalError }
  }
}

/** Only status 200 to 299 accepts. A redirect has its own reason, because the fix is to correct the URL. */
function outcomeOf(answer: EgressAnswer | InternalErrorAnswer, now: Date): AttemptOutcome {
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

function storedResponse(
  answer: EgressAnswer | InternalErrorAnswer,
): Pick<Attempt, 'responseHeaders' | 'responseBody' | 'responseTruncated'> {
  if (answer.kind === 'failed') return { responseHeaders: {}, responseBody: '', responseTruncated: false }
  const stored = storedHeaders(answer.headers)
  return {
    responseHeaders: stored.headers,
    responseBody: storableText(answer.body),
    responseTruncated: answer.truncated || answer.body.length > STORED_BODY_BYTES_MAX || stored.dropped,
  }
}

/** Up to 8 KiB of headers, without cookies, which are credentials. A header that does not fit is omitted. */
function storedHeaders(headers: Readonly<Record<string, string>>) {
  const stored: [string, string][] = []
  let room = STORED_HEADER_CHARS_MAX
  let dropped = false
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'set-cookie') continue
    const size = name.length + value.length
    if (size > room) {
      dropped = true
      continue
    }
    room -= size
    stored.push([name, value])
  }
  return { headers: Object.fromEntries(stored), dropped }
}

/** Text that both databases and JSON can store: NULs and invalid UTF-8 become U+FFFD. It is not escaped. */
function storableText(body: Buffer): string {
  const text = body.toString('utf8', 0, Math.min(body.length, STORED_BODY_BYTES_MAX))
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
