import type { Attempt } from '../../model/delivery.ts'
import { isRedirect, mayFollowWork, type RedirectRule } from '../../model/redirects.ts'
import type { Clock } from '../../runtime/clock.ts'
import {
  type Egress,
  type EgressAnswer,
  type EgressRequest,
  violatesHttp,
} from '../../runtime/egress/egress.ts'
import { retryAfterMs } from '../../runtime/retry-after.ts'
import { type AttemptOutcome, RETRY_AFTER_MS_MAX } from './after-attempt.ts'

/**
 * The most bytes to read of a response. It is more than is stored, so that reading a whole error page keeps the
 * connection alive.
 */
export const BODY_BYTES_MAX = 65_536
const STORED_BODY_BYTES_MAX = 16_384
const STORED_HEADER_CHARS_MAX = 8_192

/** Statuses whose `Retry-After` counts: RFC 9110 10.2.3 names 503, RFC 6585 4 names 429. */
const RETRY_AFTER_STATUSES: readonly number[] = [429, 503]

/** An answer, or the internal error that ended the request. */
export type Answer = EgressAnswer | InternalErrorAnswer

/** Replaces the answer when an internal error ended the request. */
type InternalErrorAnswer = Omit<Extract<EgressAnswer, { kind: 'failed' }>, 'reason'> & {
  readonly reason: 'internal_error'
}

/** Makes a request. An internal error is an answer, so that a delivery that causes one each time becomes a dead letter that people see. */
export async function answerTo(
  { egress, clock }: { readonly egress: Egress; readonly clock: Clock },
  request: EgressRequest,
): Promise<{ readonly answer: Answer; readonly internalError: unknown }> {
  const startedMs = clock.monotonicMs()
  try {
    return { answer: await egress.request(request), internalError: null }
  } catch (internalError) {
    return { answer: internalErrorAnswer(clock.monotonicMs() - startedMs), internalError }
  }
}

export function internalErrorAnswer(tookMs: number): InternalErrorAnswer {
  return {
    kind: 'failed',
    reason: 'internal_error',
    detail: 'An internal error ended the request. See delivery.failed in the log.',
    status: null,
    remoteAddress: null,
    timings: timingsOf(tookMs),
  }
}

/** The timings of an attempt without measured phases. */
export function timingsOf(tookMs: number): Attempt['timings'] {
  return { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: Math.round(tookMs) }
}

/**
 * Status 200 to 299 accepts, and a redirect if the hook says so. Otherwise a redirect has its own reason, because the fix is to correct the
 * URL. An answer that violates HTTP is judged by its status line: the receiver did the work, and another attempt would be a duplicate.
 */
export function outcomeOf(answer: Answer, redirect: RedirectRule, now: Date): AttemptOutcome {
  if (answer.kind === 'answered') return outcomeOfStatus(answer.status, answer.headers, redirect, now)
  const { reason, status } = answer
  if (reason === 'interrupted') return { kind: 'interrupted' }
  if (reason === 'blocked_address' || reason === 'invalid_request') return { kind: 'permanent', reason }
  if (status !== null && violatesHttp(reason)) return outcomeOfStatus(status, {}, redirect, now)
  return { kind: 'failed', reason, httpStatus: status, retryAfterMs: null }
}

function outcomeOfStatus(
  status: number,
  headers: Readonly<Record<string, string>>,
  redirect: RedirectRule,
  now: Date,
): AttemptOutcome {
  const isDone = redirect === 'accept' && mayFollowWork(status)
  if ((status >= 200 && status <= 299) || isDone) return { kind: 'accepted', httpStatus: status }
  return {
    kind: 'failed',
    reason: isRedirect(status) ? 'redirect' : 'http_status',
    httpStatus: status,
    retryAfterMs: RETRY_AFTER_STATUSES.includes(status)
      ? retryAfterMs(headers, { maxMs: RETRY_AFTER_MS_MAX, now })
      : null,
  }
}

export function reasonOf(outcome: AttemptOutcome): Attempt['reason'] {
  if (outcome.kind === 'accepted') return null
  return outcome.kind === 'interrupted' ? 'interrupted' : outcome.reason
}

export function detailOf(outcome: AttemptOutcome): string | null {
  if (outcome.kind !== 'failed') return null
  return outcome.reason === 'redirect'
    ? redirectDetail(outcome.httpStatus ?? 0)
    : `The target answered with HTTP ${outcome.httpStatus}.`
}

function redirectDetail(status: number): string {
  const detail = `The target answered with HTTP ${status}; redirects are not followed.`
  return mayFollowWork(status)
    ? `${detail} If it did its work nevertheless, let redirects count as success (redirect: "accept").`
    : detail
}

export function storedResponse(
  answer: Answer,
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
