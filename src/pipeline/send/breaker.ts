import type { AttemptOutcome } from './after-attempt.ts'

/**
 * A circuit breaker, one for each hook: while it is open, deliveries wait without spending attempts. Pure.
 *
 * closed     mayClaim is `all`. Opens at 10 failures in a row, or at 70 % of 10 or more outcomes within 5 minutes of
 *            the first of those failures.
 * open       `none` until `openUntilMs`; what was already under way may still come in: a success closes, a failure
 *            changes nothing.
 * half open  `one` once the time is over; `none` while that probe runs, or until it must be taken for lost. A failed
 *            probe opens again for twice as long, up to an hour; any success closes.
 *
 * A 429 counts as a failure: a receiver that asks for less would otherwise be asked again for each waiting delivery,
 * and each would spend one of its attempts on the same answer. Its `Retry-After` also lengthens the time open.
 */
export type BreakerState = {
  readonly consecutiveFailures: number
  /** Milliseconds since the epoch, as all instants here: the state is kept as JSON. */
  readonly windowStartedAtMs: number
  readonly windowFailures: number
  readonly windowTotal: number
  /** Null when closed. */
  readonly openUntilMs: number | null
  /** How long it opens, or opened last. */
  readonly openMs: number
  /** When the probe under way is taken for lost; null when none is. */
  readonly probeUntilMs: number | null
}

/** The figures come from the engines compared in the design: a dead receiver is noticed within one batch. */
const CONSECUTIVE_FAILURES_MAX = 10
const WINDOW_MS = 5 * 60_000
const WINDOW_TOTAL_MIN = 10
const WINDOW_FAILED_SHARE = 0.7
export const OPEN_MS_MIN = 30_000
export const OPEN_MS_MAX = 60 * 60_000
/** As long as the lease of a delivery: a probe whose process died is free again when its delivery is. */
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

/** How many deliveries of the hook may be claimed now. After `one`, keep `probing(state, now)`. */
export function mayClaim(state: BreakerState, now: Date): 'all' | 'one' | 'none' {
  if (state.openUntilMs === null) return 'all'
  if (isAhead(state.openUntilMs, OPEN_MS_MAX, now)) return 'none'
  return state.probeUntilMs !== null && isAhead(state.probeUntilMs, PROBE_MS, now) ? 'none' : 'one'
}

/** The state after the one delivery of a half-open breaker was claimed. */
export function probing(state: BreakerState, now: Date): BreakerState {
  return { ...state, probeUntilMs: now.getTime() + PROBE_MS }
}

/** When a hook of which nothing may be claimed is worth looking at again; null when it is now. */
export function claimableAt(state: BreakerState, now: Date): Date | null {
  if (mayClaim(state, now) !== 'none') return null
  return new Date(Math.max(state.openUntilMs ?? 0, state.probeUntilMs ?? 0))
}

/** The state after an attempt. The same object when nothing changed, which is the rule for a hook in good health. */
export function afterOutcome(state: BreakerState, outcome: AttemptOutcome, now: Date): BreakerState {
  switch (outcome.kind) {
    case 'accepted':
      return afterSuccess(state, now)
    case 'interrupted':
      return withoutProbe(state)
    case 'permanent':
      return afterFailure(state, 0, now)
    case 'failed':
      // Ours, and no fault of the target.
      if (outcome.reason === 'internal_error') return withoutProbe(state)
      return afterFailure(state, outcome.retryAfterMs ?? 0, now)
  }
}

/** The attempt told nothing of the target: the next one probes. */
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

/** The window begins with a failure, so that successes alone change nothing and cost no write. */
function inWindow(state: BreakerState, now: Date): boolean {
  const ageMs = now.getTime() - state.windowStartedAtMs
  return state.windowFailures > 0 && ageMs >= 0 && ageMs < WINDOW_MS
}

function isFresh(state: BreakerState): boolean {
  return state.consecutiveFailures === 0 && state.windowFailures === 0 && state.openUntilMs === null
}

/** An instant further ahead than it was ever put means that the clock was set back: it is over. */
function isAhead(atMs: number, aheadMsMax: number, now: Date): boolean {
  const aheadMs = atMs - now.getTime()
  return aheadMs > 0 && aheadMs <= aheadMsMax
}
