import type { PollOutcome } from '../../model/feed.ts'
import type { FeedKind } from '../../model/vocabulary.ts'
import { type Instant, later } from '../../runtime/instant.ts'

/** How often feeds of one kind are polled. */
export type PollSettings = {
  /** The operator's interval; null lets the interval adapt between the bounds. */
  readonly fixedIntervalMs: number | null
  readonly intervalMsMin: number
  readonly intervalMsMax: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** docs/architecture.md, Rates. */
export const POLL_SETTINGS: Record<FeedKind, PollSettings> = {
  reviews: { fixedIntervalMs: null, intervalMsMin: HOUR_MS, intervalMsMax: 6 * HOUR_MS },
  rating: { fixedIntervalMs: null, intervalMsMin: HOUR_MS, intervalMsMax: 6 * HOUR_MS },
}

/** The longest wait after failures, unless the interval is longer. */
const FAILURE_WAIT_MS_MAX = 6 * HOUR_MS
/** A feed that is gone or has a changed format rarely recovers. It is polled a quarter as often, at least daily. */
const LASTING_FACTOR = 4
const LASTING_WAIT_MS_MAX = 24 * HOUR_MS
/**
 * The first wait after a block, which already backs off the whole store (pace.ts), and of a new feed, which needs its
 * first answer.
 */
const FRESH_WAIT_MS = MINUTE_MS
/** The wait varies by up to this share, so that feeds created together are not polled together. */
const JITTER_SHARE = 0.1

export type PollResult = {
  readonly now: Instant
  /** The feed's interval from now on. */
  readonly intervalMs: number
  readonly outcome: PollOutcome
  /** Failed polls in a row before this one. */
  readonly failures: number
  /** The feed has had no successful poll. */
  readonly fresh: boolean
  /** The minimum wait before the next poll, from the store's `Retry-After`; 0 without one. */
  readonly retryAfterMs: number
  /** -1 to 1, from the caller's random source. */
  readonly jitter: number
}

/** When to poll a feed next: after its interval, or after a failure later than that. */
export function nextPollAt(poll: PollResult): Instant {
  const waitMs = isGood(poll.outcome) ? poll.intervalMs : failureWaitMs(poll, poll.intervalMs)
  const jittered = waitMs * (1 + JITTER_SHARE * poll.jitter)
  return later(poll.now, Math.ceil(Math.max(jittered, poll.retryAfterMs)))
}

/**
 * The interval of a rating feed from now on. It halves after a poll with another rating and grows by half after one without, within the
 * bounds. A failure does not change it, nor does a first poll, which has nothing to compare with.
 */
export function ratingIntervalMs(
  poll: {
    readonly intervalMs: number
    readonly outcome: PollOutcome
    readonly changed: boolean
    readonly fresh: boolean
  },
  settings: PollSettings,
): number {
  if (settings.fixedIntervalMs !== null) return settings.fixedIntervalMs
  const factor = !isGood(poll.outcome) || poll.fresh ? 1 : poll.changed ? 0.5 : 1.5
  return Math.round(clamp(poll.intervalMs * factor, settings.intervalMsMin, settings.intervalMsMax))
}

export function isGood(outcome: PollOutcome): boolean {
  return outcome === 'ok' || outcome === 'empty'
}

function failureWaitMs(poll: PollResult, intervalMs: number): number {
  const doubled = 2 ** Math.min(poll.failures, 20)
  if (poll.outcome === 'gone' || poll.outcome === 'changed') {
    return Math.min(Math.max(LASTING_WAIT_MS_MAX, intervalMs), intervalMs * LASTING_FACTOR * doubled)
  }
  const first = poll.fresh || poll.outcome === 'blocked' ? Math.min(intervalMs, FRESH_WAIT_MS) : intervalMs
  return Math.min(Math.max(FAILURE_WAIT_MS_MAX, intervalMs), first * doubled)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
