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
  /** Input of the rule in `after-attempt.ts`. */
  readonly outcome: AttemptOutcome
  /** A kept-alive connection closed during the request, and it was sent again within this attempt. */
  readonly reconnected: boolean
  /** The internal error that ended the request, such as a crash of the egress thread; null otherwise. */
  readonly internalError: unknown
}

/** Read before the connection is closed: more than is stored, so that an ordinary error page keeps it alive. */
const BODY_BYTES_MAX = 65_536
const BODY_BYTES_KEPT = 16_384
const HEADER_CHARS_KEPT = 8_192

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
    ...signatureHeaders({ secrets: request.secrets, eventId: request.eventId, body, at: startedAt }),
  }
  const masked = { ...headers, ...Object.fromEntries(SIGNATURE_HEADERS.map((name) => [name, '(masked)'])) }
  if (!hasReceiver(request)) return withoutRequest(request, startedAt, masked)
  const { answer, internalError } = await send(deps, startedMs, {
    method: 'POST',
    url: request.targetUrl,
    headers,
    // As text, not the signed bytes: it crosses to another thread at less cost.
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
      ...keptAnswer(answer),
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

/** In place of an answer when an internal error ended the request. */
type BrokenAnswer = Omit<Extract<EgressAnswer, { kind: 'failed' }>, 'reason'> & {
  readonly reason: 'internal_error'
}

async function send(
  { egress, clock }: AttemptDeps,
  startedMs: number,
  request: EgressRequest,
): Promise<{ readonly answer: EgressAnswer | BrokenAnswer; readonly internalError: unknown }> {
  try {
    return { answer: await egress.request(request), internalError: null }
  } catch (internalError) {
    const totalMs = Math.round(clock.monotonicMs() - startedMs)
    const answer = {
      kind: 'failed',
      reason: 'internal_error',
      detail: 'An internal error ended the request; the log has it (delivery.failed).',
      status: null,
      remoteAddress: null,
      timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs },
    } as const
    return { answer, internalError }
  }
}

/** Only 200 to 299 accepts. A redirect has its own reason, because the solution is to correct the URL. */
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
    responseBody: storableText(answer.body),
    responseTruncated: answer.truncated || answer.body.length > BODY_BYTES_KEPT || kept.dropped,
  }
}

/** Up to 8 KiB of headers, without cookies, which are credentials; a header that does not fit is left out whole. */
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

/** Text that every database and JSON can hold: NULs and bytes that are not UTF-8 become U+FFFD. It is not escaped. */
function storableText(body: Buffer): string {
  const text = body.toString('utf8', 0, Math.min(body.length, BODY_BYTES_KEPT))
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
