import type { HookOptions } from '../../../model/hook-options.ts'
import type { EgressAnswer } from '../../../runtime/egress/egress.ts'
import type { Mailer } from '../../../runtime/mailer.ts'
import type { HttpMessage, TargetAnswer, TargetFailure } from '../../targets/target.ts'
import { type AttemptOutcome, RETRY_AFTER_MS_MAX } from '../after-attempt.ts'
import {
  type Answer,
  answerTo,
  BODY_BYTES_MAX,
  detailOf,
  internalErrorAnswer,
  outcomeOf,
  reasonOf,
  storedResponse,
  timingsOf,
} from '../answer.ts'
import type { AttemptDeps, AttemptRecord } from '../attempt.ts'
import { type MadeMessage, type MessageDeps, type MessageRequest, makeMessage } from './make-message.ts'
import { type Mask, maskValues } from './mask.ts'
import { sendMails } from './send-mails.ts'
import { shownMessage } from './shown-message.ts'

/** What messages need beside the dependencies of every attempt. */
export type MessageParts = Omit<MessageDeps, 'clock'> & {
  /** Null without a mail server. */
  readonly mailer: Mailer | null
}

export type MessageAttemptDeps = AttemptDeps & MessageParts

export type MessageAttemptRequest = MessageRequest &
  Partial<HookOptions> & {
    readonly eventId: string
    /** For display. */
    readonly targetUrl: string
    readonly number: number
    readonly replayId?: string | null
  }

/**
 * Makes one attempt to send the message of an event: one request through the guarded egress, or a mail for each recipient. Like `attempt`,
 * but unsigned. The record contains no secret of the settings, even if the service repeats one. Throws when the settings cannot be opened.
 */
export async function attemptMessage(
  deps: MessageAttemptDeps,
  request: MessageAttemptRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<AttemptRecord> {
  const startedAt = deps.clock.now()
  const record = { request, startedAt }
  const made = await makeMessage(deps, request)
  if (made.kind === 'invalid settings') return withoutRequest(record, made.detail)
  if (made.kind === 'failed') return withInternalError(record, made.error)
  if (made.kind === 'for recipients') return mailRecipients(deps, record, made, signal)
  if (made.message.kind !== 'http') throw new Error('a mail has recipients')
  return postMessage(deps, record, made, made.message, { timeoutMs, signal })
}

type Made = Extract<MadeMessage, { kind: 'made' }>
type Begun = { readonly request: MessageAttemptRequest; readonly startedAt: Date }

async function postMessage(
  deps: MessageAttemptDeps,
  begun: Begun,
  { target, mask }: Made,
  message: HttpMessage,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<AttemptRecord> {
  const { method, url, headers: own, body } = message
  const headers = { 'user-agent': deps.userAgent, ...own }
  const { answer, internalError } = await answerTo(deps, {
    method,
    url,
    headers,
    ...(body !== null && { body }),
    timeoutMs,
    bodyBytesMax: BODY_BYTES_MAX,
    signal,
  })
  const general = outcomeOf(answer, begun.request.redirect ?? 'fail', deps.clock.now())
  const failure =
    general.kind === 'failed' && answer.kind === 'answered' ? target.failureOf(targetAnswerOf(answer)) : null
  const outcome = failure === null ? general : outcomeOfFailure(failure, general)
  const detail =
    failure?.kind === 'permanent'
      ? failure.detail
      : answer.kind === 'failed'
        ? answer.detail
        : detailOf(outcome)
  return recordOf(begun, {
    answer,
    outcome,
    detail: detail === null ? null : mask(detail),
    requestHeaders: shownHeaders(headers),
    message: shownMessage(message, mask, 1 + (begun.request.more?.length ?? 0)),
    mask,
    internalError,
  })
}

function targetAnswerOf({
  status,
  headers,
  body,
}: Extract<EgressAnswer, { kind: 'answered' }>): TargetAnswer {
  return { status, headers, body: body.toString('utf8') }
}

/** A longer limit holds the hook again after the next attempt. A lane that waits for hours counts as forgotten. */
const HOLD_MS_MAX = 60 * 60_000

/** The outcome of an answer that the type of the target understands. */
function outcomeOfFailure(failure: TargetFailure, general: AttemptOutcome): AttemptOutcome {
  if (failure.kind === 'permanent') return { kind: 'permanent', reason: failure.reason }
  if (general.kind !== 'failed') return general
  const waitMs = Math.min(failure.afterMs, RETRY_AFTER_MS_MAX)
  const holdMs = Math.min(waitMs, HOLD_MS_MAX)
  // The limit counts all messages of the channel, so the other deliveries of the hook wait too.
  return { ...general, retryAfterMs: waitMs, holdMs }
}

/** Values of other headers may be secrets of a template. */
const SHOWN_HEADERS: readonly string[] = ['content-type', 'user-agent']

function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SHOWN_HEADERS.includes(name) ? value : '(masked)']),
  )
}

async function mailRecipients(
  deps: MessageAttemptDeps,
  begun: Begun,
  { target, mails, mask }: Extract<MadeMessage, { kind: 'for recipients' }>,
  signal: AbortSignal | undefined,
): Promise<AttemptRecord> {
  const { body, more = [], acceptedBy } = begun.request
  const bodies = [body, ...more]
  const events = { bodies, acceptedBy: acceptedBy ?? bodies.map(() => []) }
  const startedMs = deps.clock.monotonicMs()
  const sent = await sendMails(deps.mailer, target, mails, events, { signal })
  const tookMs = deps.clock.monotonicMs() - startedMs
  const [first] = mails
  const message = first && { message: shownMessage(first.message, mask, first.events.length) }
  return { ...recordOf(begun, { ...sent, ...message, answer: null, tookMs }), acceptedBy: sent.acceptedBy }
}

/** Masked before it is cut, so that no half of a secret is stored. */
function maskedAnswer(answer: Answer, mask: Mask): Answer {
  if (answer.kind === 'failed') return answer
  const body = Buffer.from(mask(answer.body.toString('utf8')))
  return { ...answer, headers: maskValues(answer.headers, mask), body }
}

function withoutRequest(begun: Begun, detail: string): AttemptRecord {
  const outcome = { kind: 'permanent', reason: 'invalid_request' } as const
  return recordOf(begun, { answer: null, outcome, detail, requestHeaders: {} })
}

function withInternalError(begun: Begun, internalError: unknown): AttemptRecord {
  const answer = internalErrorAnswer(0)
  const outcome = outcomeOf(answer, 'fail', begun.startedAt)
  return recordOf(begun, { answer, outcome, detail: answer.detail, requestHeaders: {}, internalError })
}

function recordOf(
  { request, startedAt }: Begun,
  result: {
    /** Null without a request. */
    readonly answer: Answer | null
    readonly outcome: AttemptOutcome
    readonly detail: string | null
    readonly requestHeaders: Readonly<Record<string, string>>
    readonly message?: string
    readonly mask?: Mask
    readonly tookMs?: number
    readonly internalError?: unknown
  },
): AttemptRecord {
  const { answer, outcome, mask = (text) => text } = result
  const response = storedResponse(maskedAnswer(answer ?? internalErrorAnswer(0), mask))
  return {
    attempt: {
      number: request.number,
      startedAt,
      timings: answer?.timings ?? timingsOf(result.tookMs ?? 0),
      url: request.targetUrl,
      requestHeaders: result.requestHeaders,
      httpStatus: answer?.status ?? null,
      reason: reasonOf(outcome),
      detail: result.detail,
      remoteAddress: answer?.remoteAddress ?? null,
      replayId: request.replayId ?? null,
      ...(result.message !== undefined && { message: result.message }),
      ...response,
    },
    outcome,
    reconnected: answer?.reconnected ?? false,
    internalError: result.internalError ?? null,
  }
}
