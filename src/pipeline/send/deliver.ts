import { optionsOf } from '../../model/hook-options.ts'
import type { Meter } from '../../model/metrics.ts'
import { MAYBE_RECEIVED_REASONS } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Egress } from '../../runtime/egress/egress.ts'
import type { Log } from '../../runtime/log.ts'
import { UnsealFailed } from '../../runtime/seal.ts'
import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'
import { type AfterAttempt, afterAttempt, JITTER_MAX } from './after-attempt.ts'
import { type AttemptRecord, attempt } from './attempt.ts'
import type { ClaimedRequest } from './claimer.ts'
import { attemptMessage, type MessageParts } from './message/attempt-message.ts'
import type { createSecretOpener } from './secrets.ts'
import type { Result } from './settler.ts'

export type DeliverDeps = {
  readonly egress: Egress
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Log
  readonly meter: Meter
  /** `ReviewRadar/<version>`. */
  readonly userAgent: string
  readonly secretsOf: ReturnType<typeof createSecretOpener>
  readonly messages: MessageParts
}

export type DeliverSettings = {
  /** One timeout for connecting, headers and body. */
  readonly timeoutMs: number
  /** Waits before attempt 2, 3, ... */
  readonly waitsMs: readonly number[]
  /** Sources of hooks for which a 410 means that the trigger was turned off. */
  readonly platforms: ReadonlySet<string>
}

/**
 * Makes one attempt. Returns `settle` with the result of each delivery, or `release` when `abortInFlight` aborted it. Returns `leave`
 * when the secret cannot be opened: then the lease expires, which avoids a tight loop.
 */
export async function deliver(
  deps: DeliverDeps,
  settings: DeliverSettings,
  request: ClaimedRequest,
  abortInFlight: AbortSignal,
): Promise<
  { readonly kind: 'settle'; readonly results: readonly Result[] } | { readonly kind: 'release' | 'leave' }
> {
  const { log } = deps
  const [{ eventId, hookId }] = request.deliveries
  const record = await attemptOf(deps, request, settings.timeoutMs, abortInFlight)
  if (record === null) return { kind: 'leave' }
  if (record.internalError !== null) {
    log.error('delivery.failed', { event_id: eventId, hook_id: hookId, error: record.internalError })
  }
  const results: Result[] = []
  for (const [index, delivery] of request.deliveries.entries()) {
    const after = afterRecord(deps, settings, delivery, record)
    measure(deps.meter, delivery, record, after, results.length > 0)
    log.info('delivery.attempted', lineOf(delivery, record, after))
    if (after.kind === 'release') continue
    // Of a message with several deliveries, each has the record under its own number.
    const attempt = { ...record.attempt, number: delivery.attempts + 1, replayId: delivery.replayId }
    const acceptedBy = record.acceptedBy?.[index]
    const settled = { delivery, attempt, next: after.next, ...(acceptedBy && { acceptedBy }) }
    results.push({
      settled,
      result: { outcome: record.outcome, after },
      isRepeated: results.length > 0,
      isLastMessage: !request.mayHaveMore,
    })
  }
  return results.length === 0 ? { kind: 'release' } : { kind: 'settle', results }
}

function afterRecord(
  { clock, random }: DeliverDeps,
  settings: DeliverSettings,
  delivery: ClaimedDelivery,
  record: AttemptRecord,
): AfterAttempt {
  return afterAttempt(record.outcome, {
    attempts: delivery.attempts + 1,
    automated: settings.platforms.has(delivery.source),
    waitsMs: settings.waitsMs,
    jitter: random() * JITTER_MAX,
    now: clock.now(),
  })
}

/** Null and a log line when the secrets were sealed under another key. */
async function attemptOf(
  deps: DeliverDeps,
  { deliveries: [delivery, ...others] }: ClaimedRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<AttemptRecord | null> {
  const number = delivery.attempts + 1
  const { eventId, accountId, hookId, targetType, targetUrl, targetSettings, body, replayId } = delivery
  const request = { eventId, targetUrl, body, number, replayId, ...optionsOf(delivery) }
  try {
    if (targetType !== 'webhook' && targetSettings !== null) {
      const more = others.map((each) => each.body)
      const acceptedBy = [delivery, ...others].map((each) => each.acceptedBy)
      const { unsubscribed } = delivery
      const settings = { accountId, hookId, targetType, targetSettings, more, unsubscribed, acceptedBy }
      return await attemptMessage(
        { ...deps, ...deps.messages },
        { ...request, ...settings },
        timeoutMs,
        signal,
      )
    }
    const secrets = deps.secretsOf(delivery, deps.clock.now())
    return await attempt(deps, { ...request, secrets }, timeoutMs, signal)
  } catch (error) {
    if (!(error instanceof UnsealFailed)) throw error
    deps.log.error('delivery.unsigned', {
      event_id: eventId,
      hook_id: hookId,
      detail: 'The secret cannot be opened. Check that RADAR_SECRET_KEY is the key it was sealed with.',
      error,
    })
    return null
  }
}

/** `isRepeated`: the request was measured with another delivery. */
function measure(
  meter: Meter,
  delivery: ClaimedDelivery,
  record: AttemptRecord,
  after: AfterAttempt,
  isRepeated: boolean,
): void {
  if (after.kind === 'settle' && after.next.status === 'dead') {
    meter.count('dead_letters_total', { reason: after.next.reason })
  }
  if (isRepeated) return
  const { attempt: sent, outcome, reconnected } = record
  const result =
    outcome.kind === 'accepted' ? 'accepted' : outcome.kind === 'interrupted' ? 'interrupted' : 'failed'
  meter.count('attempts_total', { result, reason: sent.reason ?? '' })
  meter.observe('attempt_seconds', { result }, sent.timings.totalMs / 1000)
  meter.observe(
    'due_to_sent_seconds',
    { first: delivery.attempts === 0 ? 'true' : 'false' },
    dueToSentMs(delivery, record) / 1000,
  )
  if (sent.httpStatus !== null) {
    meter.count('connections_total', { reused: sent.timings.connectMs === null ? 'true' : 'false' })
  }
  if (reconnected) meter.count('duplicates_suspected_total', { reason: 'reconnected' })
  const maybeReceived =
    outcome.kind === 'interrupted'
      ? 'interrupted'
      : MAYBE_RECEIVED_REASONS.find((maybe) => maybe === sent.reason)
  if (maybeReceived !== undefined) meter.count('duplicates_suspected_total', { reason: maybeReceived })
}

function lineOf(delivery: ClaimedDelivery, record: AttemptRecord, after: AfterAttempt) {
  const { attempt: sent, outcome, reconnected } = record
  return {
    event_id: delivery.eventId,
    hook_id: delivery.hookId,
    account_id: delivery.accountId,
    host: delivery.host,
    attempt: sent.number,
    outcome: outcome.kind,
    http_status: sent.httpStatus,
    reason: sent.reason,
    detail: sent.detail,
    took_ms: Math.round(sent.timings.totalMs),
    due_to_sent_ms: dueToSentMs(delivery, record),
    reused: sent.timings.connectMs === null,
    reconnected,
    replay_id: sent.replayId,
    next: after.kind === 'release' ? 'released' : after.next.status,
    next_at:
      after.kind === 'settle' && after.next.status === 'pending' ? after.next.dueAt.toISOString() : null,
  }
}

function dueToSentMs(delivery: ClaimedDelivery, record: AttemptRecord): number {
  return Math.max(0, record.attempt.startedAt.getTime() - delivery.dueAt.getTime())
}
