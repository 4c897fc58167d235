import { cloudEventHeaders } from '../../model/cloud-events.ts'
import type { Attempt } from '../../model/delivery.ts'
import type { HookOptions } from '../../model/hook-options.ts'
import { hasReceiver, isInbox } from '../../model/inbox.ts'
import { maskedSignatureHeaders, signatureHeaders } from '../../model/signature.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Egress } from '../../runtime/egress/egress.ts'
import type { AttemptOutcome } from './after-attempt.ts'
import {
  answerTo,
  BODY_BYTES_MAX,
  detailOf,
  outcomeOf,
  reasonOf,
  storedResponse,
  timingsOf,
} from './answer.ts'

export type AttemptDeps = {
  readonly egress: Egress
  readonly clock: Clock
  /** `ReviewRadar/<version>`. */
  readonly userAgent: string
}

/** An absent option has its default. With `cloudEvents` the body must be an event. */
export type AttemptRequest = Partial<HookOptions> & {
  readonly eventId: string
  readonly targetUrl: string
  /** The stored body, which is signed and sent as it is. */
  readonly body: string
  /** Plaintext secrets, the current one first; at least one. */
  readonly secrets: readonly string[]
  /** The number of this attempt in its schedule, from 1. */
  readonly number: number
  readonly replayId?: string | null
}

export type AttemptRecord = {
  /** The stored record, without secrets and signatures. */
  readonly attempt: Attempt
  /** Input of `afterAttempt`. */
  readonly outcome: AttemptOutcome
  /** A keep-alive connection closed during the request, so this attempt sent it again. */
  readonly reconnected: boolean
  /** For each event of the message: the recipients that accepted it so far. Absent for types without recipients. */
  readonly acceptedBy?: readonly (readonly string[])[]
  /** The internal error that ended the request, such as a crash of the egress thread; null otherwise. */
  readonly internalError: unknown
}

/**
 * Makes one request of a delivery, none without a receiver, and returns its record. `timeoutMs` covers connecting, headers and body;
 * `signal` ends it with the outcome `interrupted`, which does not count. An internal error counts, so that a delivery that causes one each
 * time becomes a dead letter that people see.
 */
export async function attempt(
  deps: AttemptDeps,
  request: AttemptRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<AttemptRecord> {
  const startedAt = deps.clock.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': deps.userAgent,
    ...(request.cloudEvents === true ? cloudEventHeaders(request.body) : {}),
  }
  const signing = { secrets: request.secrets, eventId: request.eventId, at: startedAt }
  const masked = { ...headers, ...maskedSignatureHeaders(signing) }
  if (!hasReceiver(request)) return withoutRequest(request, startedAt, masked)
  const { answer, internalError } = await answerTo(deps, {
    method: 'POST',
    url: request.targetUrl,
    ...(deps.egress.signs === true
      ? { headers, signing }
      : { headers: { ...headers, ...signatureHeaders({ ...signing, body: Buffer.from(request.body) }) } }),
    // Text instead of bytes, because it is cheaper to pass to another thread.
    body: request.body,
    timeoutMs,
    bodyBytesMax: BODY_BYTES_MAX,
    signal,
  })
  const outcome = outcomeOf(answer, request.redirect ?? 'fail', deps.clock.now())
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
      timings: timingsOf(0),
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
