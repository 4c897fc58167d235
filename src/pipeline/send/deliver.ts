import type { Clock } from '../../runtime/clock.ts'
import type { Egress } from '../../runtime/egress/egress.ts'
import type { Log } from '../../runtime/log.ts'
import type { Meter } from '../../runtime/meter.ts'
import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'
import { type AfterAttempt, afterAttempt, JITTER_MAX } from './after-attempt.ts'
import { type AttemptRecord, attempt } from './attempt.ts'
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
}

export type DeliverSettings = {
  /** One deadline over connecting, headers and body. */
  readonly timeoutMs: number
  /** Waits before attempt 2, 3, ... */
  readonly waitsMs: readonly number[]
  /** Sources of hooks for which a 410 means that the trigger was turned off. */
  readonly platforms: ReadonlySet<string>
}

/** Failures after which the target may have got the request all the same. */
const MAYBE_RECEIVED: ReadonlySet<string> = new Set([
  'timeout_headers',
  'timeout_total',
  'reset',
  'invalid_response',
  'internal_error',
])

/**
 * Makes one attempt. `settle` with what it came to; `release` when `cut` ended it, and it is to be given back at once;
 * `leave` when its secret could not be opened: its lease runs out by itself, so that it is not tried at full speed.
 */
export async function deliver(
  deps: DeliverDeps,
  settings: DeliverSettings,
  delivery: ClaimedDelivery,
  cut: AbortSignal,
): Promise<{ readonly kind: 'settle'; readonly result: Result } | { readonly kind: 'release' | 'leave' }> {
  const { clock, log, meter } = deps
  let secrets: string[]
  try {
    secrets = deps.secretsOf(delivery, clock.now())
  } catch (error) {
    log.error('delivery.unsigned', {
      event_id: delivery.eventId,
      hook_id: delivery.hookId,
      detail: 'Its secret cannot be opened: was RADAR_SECRET_KEY changed?',
      error,
    })
    return { kind: 'leave' }
  }

  const number = delivery.attempts + 1
  const { eventId, targetUrl, body, replayId } = delivery
  const record = await attempt(
    deps,
    { eventId, targetUrl, body, secrets, number, replayId },
    settings.timeoutMs,
    cut,
  )
  if (record.mistake !== null)
    log.error('delivery.failed', { event_id: eventId, hook_id: delivery.hookId, error: record.mistake })
  const after = afterAttempt(record.outcome, {
    attempts: number,
    automated: settings.platforms.has(delivery.source),
    waitsMs: settings.waitsMs,
    jitter: deps.random() * JITTER_MAX,
    now: clock.now(),
  })
  measure(meter, delivery, record, after)
  log.info('delivery.attempted', lineOf(delivery, record, after))
  if (after.kind === 'release') return { kind: 'release' }
  return {
    kind: 'settle',
    result: {
      settled: { delivery, attempt: record.attempt, next: after.next },
      result: { outcome: record.outcome, after },
    },
  }
}

function measure(meter: Meter, delivery: ClaimedDelivery, record: AttemptRecord, after: AfterAttempt): void {
  const { attempt: made, outcome, reconnected } = record
  const result =
    outcome.kind === 'accepted' ? 'accepted' : outcome.kind === 'interrupted' ? 'interrupted' : 'failed'
  const reason = made.reason ?? ''
  meter.count('attempts_total', { result, reason })
  meter.observe('attempt_seconds', { result }, made.timings.totalMs / 1000)
  meter.observe(
    'due_to_sent_seconds',
    { first: String(delivery.attempts === 0) },
    dueToSentMs(delivery, record) / 1000,
  )
  if (made.httpStatus !== null) {
    meter.count('connections_total', { reused: String(made.timings.connectMs === null) })
  }
  if (reconnected) meter.count('duplicates_suspected_total', { reason: 'reconnected' })
  if (MAYBE_RECEIVED.has(reason) || outcome.kind === 'interrupted') {
    meter.count('duplicates_suspected_total', { reason })
  }
  if (after.kind === 'settle' && after.next.status === 'dead') {
    meter.count('dead_letters_total', { reason: after.next.reason })
  }
}

function lineOf(delivery: ClaimedDelivery, record: AttemptRecord, after: AfterAttempt) {
  const { attempt: made, outcome, reconnected } = record
  return {
    event_id: delivery.eventId,
    hook_id: delivery.hookId,
    account_id: delivery.accountId,
    host: delivery.host,
    attempt: made.number,
    outcome: outcome.kind,
    http_status: made.httpStatus,
    reason: made.reason,
    detail: made.detail,
    took_ms: Math.round(made.timings.totalMs),
    due_to_sent_ms: dueToSentMs(delivery, record),
    reused: made.timings.connectMs === null,
    reconnected,
    replay_id: made.replayId,
    next: after.kind === 'release' ? 'released' : after.next.status,
    next_at:
      after.kind === 'settle' && after.next.status === 'pending' ? after.next.dueAt.toISOString() : null,
  }
}

function dueToSentMs(delivery: ClaimedDelivery, record: AttemptRecord): number {
  return Math.max(0, record.attempt.startedAt.getTime() - delivery.dueAt.getTime())
}
