import type { PollOutcome } from '../../model/feed.ts'
import type { FeedKind } from '../../model/vocabulary.ts'

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
  reviews: { fixedIntervalMs: null, intervalMsMin: 15 * MINUTE_MS, intervalMsMax: 6 * HOUR_MS },
  rating: { fixedIntervalMs: null, intervalMsMin: HOUR_MS, intervalMsMax: 6 * HOUR_MS },
}

/** The longest wait after failures: the longest interval. */
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
  readonly now: Date
  /** The feed's interval before this poll. */
  readonly intervalMs: number
  readonly outcome: PollOutcome
  /** The poll found new data. A first poll does not count: it says nothing about the frequency. */
  readonly hasNewData: boolean
  /** Failed polls in a row before this one. */
  readonly failures: number
  /** The feed has had no successful poll. */
  readonly fresh: boolean
  /** The minimum wait before the next poll, from the store's `Retry-After`; 0 without one. */
  readonly retryAfterMs: number
  /** -1 to 1, from the caller's random source. */
  readonly jitter: number
}

/**
 * When to poll a feed next, and its interval from now on. The interval halves after a poll with new data and grows by
 * half after one without, within the bounds. A failure does not change it, and backs off from it.
 */
export function nextPollAt(
  poll: PollResult,
  settings: PollSettings,
): { readonly nextPollAt: Date; readonly intervalMs: number } {
  const moved = poll.outcome === 'ok' || poll.outcome === 'empty'
  const factor = !moved || poll.fresh ? 1 : poll.hasNewData ? 0.5 : 1.5
  const intervalMs =
    settings.fixedIntervalMs ??
    Math.round(clamp(poll.intervalMs * factor, settings.intervalMsMin, settings.intervalMsMax))
  const waitMs = moved ? intervalMs : failureWaitMs(poll, intervalMs)
  const jittered = waitMs * (1 + JITTER_SHARE * poll.jitter)
  const leastMs = Math.max(jittered, poll.retryAfterMs)
  return { nextPollAt: new Date(poll.now.getTime() + Math.ceil(leastMs)), intervalMs }
}

function failureWaitMs(poll: PollResult, intervalMs: number): number {
  const doubled = 2 ** Math.min(poll.failures, 20)
  if (poll.outcome === 'gone' || poll.outcome === 'changed') {
    return Math.min(LASTING_WAIT_MS_MAX, intervalMs * LASTING_FACTOR * doubled)
  }
  const first = poll.fresh || poll.outcome === 'blocked' ? Math.min(intervalMs, FRESH_WAIT_MS) : intervalMs
  return Math.min(FAILURE_WAIT_MS_MAX, first * doubled)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
