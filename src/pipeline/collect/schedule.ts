import type { PollOutcome } from '../../model/feed.ts'
import type { FeedKind } from '../../model/vocabulary.ts'

/** How often feeds of one kind are visited. */
export type PollSettings = {
  /** The operator's interval; null lets the interval adapt between the bounds. */
  readonly fixedIntervalMs: number | null
  readonly intervalMsMin: number
  readonly intervalMsMax: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** DESIGN 5.5. */
export const POLL_SETTINGS: Record<FeedKind, PollSettings> = {
  reviews: { fixedIntervalMs: null, intervalMsMin: 15 * MINUTE_MS, intervalMsMax: 6 * HOUR_MS },
  rating: { fixedIntervalMs: null, intervalMsMin: HOUR_MS, intervalMsMax: 6 * HOUR_MS },
}

/** The longest wait after trouble (chosen: as rare as the quietest feed is visited). */
const FAILURE_WAIT_MS_MAX = 6 * HOUR_MS
/** An app that is gone, or a page we cannot read, seldom heals by itself: asked a quarter as often, daily at last. */
const LASTING_FACTOR = 4
const LASTING_WAIT_MS_MAX = 24 * HOUR_MS
/** A store that blocks us backs off as a whole (pace.ts), and a feed that never answered has nothing to lose. */
const FRESH_WAIT_MS = MINUTE_MS
/** A part of the wait, either way, so that feeds made together drift apart. */
const JITTER_SHARE = 0.1

export type VisitResult = {
  readonly now: Date
  /** The feed's interval before this visit. */
  readonly intervalMs: number
  readonly outcome: PollOutcome
  /** The visit showed something that was not known. A first visit does not count: it says nothing about how often. */
  readonly broughtSomething: boolean
  /** Visits in a row before this one that moved no state. */
  readonly failures: number
  /** The feed has never moved state. */
  readonly fresh: boolean
  /** What the store asked us to wait, the least for the next visit; 0 for nothing. */
  readonly retryAfterMs: number
  /** -1 to 1, from the caller's random source. */
  readonly jitter: number
}

/**
 * When to visit a feed next, and its interval from now on. The interval halves when a visit brought something and
 * grows by half when it did not, within the bounds; trouble leaves it as it is and backs off from it.
 */
export function nextPollAt(
  visit: VisitResult,
  settings: PollSettings,
): { readonly nextPollAt: Date; readonly intervalMs: number } {
  const moved = visit.outcome === 'ok' || visit.outcome === 'empty'
  const factor = !moved || visit.fresh ? 1 : visit.broughtSomething ? 0.5 : 1.5
  const intervalMs =
    settings.fixedIntervalMs ??
    Math.round(clamp(visit.intervalMs * factor, settings.intervalMsMin, settings.intervalMsMax))
  const waitMs = moved ? intervalMs : troubleWaitMs(visit, intervalMs)
  const jittered = waitMs * (1 + JITTER_SHARE * visit.jitter)
  const leastMs = Math.max(jittered, visit.retryAfterMs)
  return { nextPollAt: new Date(visit.now.getTime() + Math.ceil(leastMs)), intervalMs }
}

function troubleWaitMs(visit: VisitResult, intervalMs: number): number {
  const doubled = 2 ** Math.min(visit.failures, 20)
  if (visit.outcome === 'gone' || visit.outcome === 'changed') {
    return Math.min(LASTING_WAIT_MS_MAX, intervalMs * LASTING_FACTOR * doubled)
  }
  const first = visit.fresh || visit.outcome === 'blocked' ? Math.min(intervalMs, FRESH_WAIT_MS) : intervalMs
  return Math.min(FAILURE_WAIT_MS_MAX, first * doubled)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
