import type { NewNotice } from '../../storage/port/deliveries.ts'
import type { AfterAttempt, AttemptOutcome } from './after-attempt.ts'
import { afterOutcome, type BreakerState, CLOSED } from './breaker.ts'

/** The sender's state of a hook between attempts, stored as JSON in its lane. */
export type HookHealth = {
  readonly breaker: BreakerState
  /** A delivery became a dead letter since the last success. This limits the notices to one. */
  readonly hasDead: boolean
  /** The state of its rate limit (`arrivalMs` of gcra.ts); null without one, or before the first permit. */
  readonly paceMs: number | null
  /** When its last scheduled message was accepted; null without one. */
  readonly lastMessageMs: number | null
  /** When the scheduled message under way counts as lost; null without one. */
  readonly messageUntilMs: number | null
  /** A manual retry: the next message does not wait for the schedule. */
  readonly skipsSchedule: boolean
}

export type AttemptResult = { readonly outcome: AttemptOutcome; readonly after: AfterAttempt }

export const HEALTHY: HookHealth = {
  breaker: CLOSED,
  hasDead: false,
  paceMs: null,
  lastMessageMs: null,
  messageUntilMs: null,
  skipsSchedule: false,
}

/**
 * Failures in a row after which a hook counts as failing. With the default waits, its first event is 35 minutes late
 * then.
 */
const FAILING_AT = 4

/** Parses the stored health of a lane. Invalid text counts as healthy: at worst a few attempts are made too early. */
export function healthFrom(text: string | null): HookHealth {
  if (text === null) return HEALTHY
  const stored = parsed(text)
  const breaker = record(stored.breaker)
  return {
    breaker: {
      consecutiveFailures: count(breaker.consecutiveFailures),
      windowStartedAtMs: count(breaker.windowStartedAtMs),
      windowFailures: count(breaker.windowFailures),
      windowTotal: count(breaker.windowTotal),
      openUntilMs: instant(breaker.openUntilMs),
      openMs: count(breaker.openMs) || CLOSED.openMs,
      probeUntilMs: instant(breaker.probeUntilMs),
    },
    hasDead: stored.hasDead === true,
    paceMs: instant(stored.paceMs),
    lastMessageMs: instant(stored.lastMessageMs),
    messageUntilMs: instant(stored.messageUntilMs),
    skipsSchedule: stored.skipsSchedule === true,
  }
}

/** The health after a scheduled message. `isLast`: it was accepted with all events that waited; otherwise the schedule is still due. */
export function afterMessage(health: HookHealth, isLast: boolean, now: Date): HookHealth {
  return {
    ...health,
    lastMessageMs: isLast ? now.getTime() : health.lastMessageMs,
    messageUntilMs: null,
    skipsSchedule: health.skipsSchedule && !isLast,
  }
}

/** The stored form. */
export function healthText(health: HookHealth): string {
  return JSON.stringify(health)
}

/** The health after one attempt. The same object when nothing changed, so that the caller can skip the write. */
export function afterResult(health: HookHealth, result: AttemptResult, now: Date): HookHealth {
  const breaker = afterOutcome(health.breaker, result.outcome, now)
  const hasDead = result.outcome.kind === 'accepted' ? false : health.hasDead || isDead(result.after)
  return breaker === health.breaker && hasDead === health.hasDead ? health : { ...health, breaker, hasDead }
}

/** The notices for an attempt that changed the health of a hook. */
export function noticesOf(before: HookHealth, after: HookHealth, result: AttemptResult): NewNotice[] {
  const notices: NewNotice[] = []
  const was = before.breaker
  const is = after.breaker
  const last = lastFailureOf(result.outcome)
  if (was.consecutiveFailures < FAILING_AT && is.consecutiveFailures >= FAILING_AT) {
    notices.push({
      kind: 'failing',
      detail: `${FAILING_AT} attempts in a row failed, the last with ${last}.`,
    })
  }
  if (was.consecutiveFailures >= FAILING_AT && result.outcome.kind === 'accepted') {
    notices.push({
      kind: 'recovered',
      detail: `Accepted after ${was.consecutiveFailures} failed attempts in a row.`,
    })
  }
  if (was.openUntilMs === null && is.openUntilMs !== null) {
    const until = new Date(is.openUntilMs).toISOString()
    notices.push({
      kind: 'breaker_opened',
      detail: `Deliveries are paused until ${until}. The last attempt failed with ${last}.`,
    })
  }
  if (was.openUntilMs !== null && is.openUntilMs === null) {
    notices.push({ kind: 'breaker_closed', detail: 'Deliveries are sent again.' })
  }
  if (!before.hasDead && after.hasDead) {
    notices.push({
      kind: 'exhausted',
      detail: `A delivery became a dead letter; its last attempt failed with ${last}.`,
    })
  }
  if (result.after.kind === 'settle' && result.after.hookGone) {
    notices.push({ kind: 'gone', detail: 'The target answered with HTTP 410: its trigger was turned off.' })
  }
  return notices
}

function isDead(after: AfterAttempt): boolean {
  return after.kind === 'settle' && after.next.status === 'dead' && !after.hookGone
}

function lastFailureOf(outcome: AttemptOutcome): string {
  if (outcome.kind === 'failed' && outcome.httpStatus !== null) return `HTTP ${outcome.httpStatus}`
  return outcome.kind === 'failed' || outcome.kind === 'permanent' ? outcome.reason : outcome.kind
}

function parsed(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text))
  } catch {
    return {}
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function count(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0
}

function instant(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
