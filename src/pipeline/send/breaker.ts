import { type Instant, later } from '../../runtime/instant.ts'
import type { AttemptOutcome } from './after-attempt.ts'

/**
 * A circuit breaker, one for each hook: while it is open, deliveries stay pending and use no attempts. Pure.
 *
 * closed     mayClaim is `all`. Opens at 10 failures in a row, or at 70 % of 10 or more outcomes within 5 minutes of
 *            the first of those failures.
 * open       `none` until `openUntilMs`. Results of requests already under way still count: a success closes it, a
 *            failure changes nothing.
 * half-open  `one` after that time; `none` while that probe runs, or until it counts as lost. A failed probe opens the
 *            breaker for twice as long, up to an hour; any success closes it.
 *
 * A manual retry half-opens an open breaker at once.
 *
 * A 429 counts as a failure: otherwise each pending delivery would use an attempt to get the same answer. Its
 * `Retry-After` also lengthens the time open.
 */
export type BreakerState = {
  readonly consecutiveFailures: number
  /** Milliseconds since the epoch, like all instants here, because the state is stored as JSON. */
  readonly windowStartedAtMs: number
  readonly windowFailures: number
  readonly windowTotal: number
  /** Null when closed. */
  readonly openUntilMs: number | null
  /** The current or last open time. */
  readonly openMs: number
  /** When the probe under way counts as lost; null without a probe. */
  readonly probeUntilMs: number | null
}

/** As in other delivery engines: it detects a dead receiver within one batch. */
const CONSECUTIVE_FAILURES_MAX = 10
const WINDOW_MS = 5 * 60_000
const WINDOW_TOTAL_MIN = 10
const WINDOW_FAILED_SHARE = 0.7
export const OPEN_MS_MIN = 30_000
export const OPEN_MS_MAX = 60 * 60_000
/** The lease of a delivery: after a crash, the probe counts as lost when its delivery can be claimed again. */
export const PROBE_MS = 60_000

export const CLOSED: BreakerState = {
  consecutiveFailures: 0,
  windowStartedAtMs: 0,
  windowFailures: 0,
  windowTotal: 0,
  openUntilMs: null,
  openMs: OPEN_MS_MIN,
  probeUntilMs: null,
}

/** How many deliveries of the hook may be claimed now. After `one`, store `probing(state, now)`. */
export function mayClaim(state: BreakerState, now: Date): 'all' | 'one' | 'none' {
  if (state.openUntilMs === null) return 'all'
  if (isOpen(state, now)) return 'none'
  return state.probeUntilMs !== null && isAhead(state.probeUntilMs, PROBE_MS, now) ? 'none' : 'one'
}

/** The state after the probe of a half-open breaker was claimed. */
export function probing(state: BreakerState, now: Date): BreakerState {
  return { ...state, probeUntilMs: now.getTime() + PROBE_MS }
}

/** The state after a manual retry: half-open if it was open. A probe under way stays the only one. */
export function afterHalfOpening(state: BreakerState, now: Date): BreakerState {
  return isOpen(state, now) ? { ...state, openUntilMs: now.getTime(), probeUntilMs: null } : state
}

/** Whether it is open, as opposed to half-open with a probe under way. */
export function isOpen({ openUntilMs }: BreakerState, now: Date): boolean {
  return openUntilMs !== null && isAhead(openUntilMs, OPEN_MS_MAX, now)
}

/** When the next delivery of the hook may be claimed; null for now. */
export function claimableAt(state: BreakerState, now: Instant): Instant | null {
  if (mayClaim(state, now) !== 'none') return null
  const atMs = (isOpen(state, now) ? state.openUntilMs : state.probeUntilMs) ?? 0
  return later(now, atMs - now.getTime())
}

/** The state after an attempt. The same object when nothing changed, as for every success of a healthy hook. */
export function afterOutcome(state: BreakerState, outcome: AttemptOutcome, now: Date): BreakerState {
  switch (outcome.kind) {
    case 'accepted':
      return afterSuccess(state, now)
    case 'interrupted':
      return withoutProbe(state)
    case 'permanent':
      return afterFailure(state, 0, now)
    case 'failed':
      // An internal error says nothing about the target.
      if (outcome.reason === 'internal_error') return withoutProbe(state)
      return afterFailure(state, outcome.retryAfterMs ?? 0, now)
  }
}

/** The attempt says nothing about the target, so the next one is the probe. */
function withoutProbe(state: BreakerState): BreakerState {
  return state.probeUntilMs === null ? state : { ...state, probeUntilMs: null }
}

function afterSuccess(state: BreakerState, now: Date): BreakerState {
  if (state.openUntilMs !== null || !inWindow(state, now)) return isFresh(state) ? state : CLOSED
  return { ...state, consecutiveFailures: 0, windowTotal: state.windowTotal + 1 }
}

function afterFailure(state: BreakerState, retryAfterMs: number, now: Date): BreakerState {
  const nowMs = now.getTime()
  const consecutiveFailures = state.consecutiveFailures + 1
  if (state.openUntilMs !== null) {
    if (isAhead(state.openUntilMs, OPEN_MS_MAX, now)) return { ...state, consecutiveFailures }
    return open(
      { ...state, consecutiveFailures },
      Math.min(state.openMs * 2, OPEN_MS_MAX),
      retryAfterMs,
      nowMs,
    )
  }
  const window = inWindow(state, now)
  const counted: BreakerState = {
    ...state,
    consecutiveFailures,
    windowStartedAtMs: window ? state.windowStartedAtMs : nowMs,
    windowFailures: (window ? state.windowFailures : 0) + 1,
    windowTotal: (window ? state.windowTotal : 0) + 1,
  }
  const mostFail =
    counted.windowTotal >= WINDOW_TOTAL_MIN &&
    counted.windowFailures >= counted.windowTotal * WINDOW_FAILED_SHARE
  return consecutiveFailures >= CONSECUTIVE_FAILURES_MAX || mostFail
    ? open(counted, OPEN_MS_MIN, retryAfterMs, nowMs)
    : counted
}

function open(state: BreakerState, openMs: number, retryAfterMs: number, nowMs: number): BreakerState {
  const waitMs = Math.min(Math.max(openMs, retryAfterMs), OPEN_MS_MAX)
  return { ...state, openMs, openUntilMs: nowMs + waitMs, probeUntilMs: null }
}

/** The window starts with a failure, so that successes alone need no write. */
function inWindow(state: BreakerState, now: Date): boolean {
  const ageMs = now.getTime() - state.windowStartedAtMs
  return state.windowFailures > 0 && ageMs >= 0 && ageMs < WINDOW_MS
}

function isFresh(state: BreakerState): boolean {
  return state.consecutiveFailures === 0 && state.windowFailures === 0 && state.openUntilMs === null
}

/**
 * Whether an instant is in the future. One that is further ahead than any rule sets was written under a wrong clock and
 * counts as past.
 */
function isAhead(atMs: number, aheadMsMax: number, now: Date): boolean {
  const aheadMs = atMs - now.getTime()
  return aheadMs > 0 && aheadMs <= aheadMsMax
}
