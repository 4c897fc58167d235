import type { FailureReason } from '../../model/vocabulary.ts'
import type { NextStep } from '../../storage/port/deliveries.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Waits before attempt 2, 3, ... before jitter: ten attempts over 75 h 35 min (DESIGN 5.6). */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** A receiver may ask for a longer wait, but not for more than the longest step of the wait list (DESIGN 5.6). */
export const RETRY_AFTER_MS_MAX = 24 * HOUR_MS

/** Up to this share is added to each wait, so that what failed together does not come back together. */
export const JITTER_MAX = 0.1

/** What one attempt told us. */
export type AttemptOutcome =
  | { readonly kind: 'accepted'; readonly httpStatus: number }
  | {
      readonly kind: 'failed'
      readonly reason: Exclude<FailureReason, 'blocked_address' | 'invalid_request' | 'interrupted'>
      /** Null when no status came. */
      readonly httpStatus: number | null
      /** What the receiver asked for with a 429 or 503. */
      readonly retryAfterMs: number | null
    }
  /** No later attempt can do better until somebody changes the hook or the settings. */
  | { readonly kind: 'permanent'; readonly reason: 'blocked_address' | 'invalid_request' }
  /** We stopped it ourselves: it says nothing about the target. */
  | { readonly kind: 'interrupted' }

export type AfterAttempt =
  | {
      readonly kind: 'settle'
      readonly next: NextStep
      /** The trigger behind the hook was turned off: the hook ends with this delivery. */
      readonly hookGone: boolean
    }
  /** The claim is given back and the attempt is not counted. */
  | { readonly kind: 'release' }

/**
 * What becomes of a delivery after an attempt (DESIGN 5.6). Pure: the caller brings the clock and the jitter, a share
 * from 0 to `JITTER_MAX`. `attempts` counts this one too. `automated` says whether the hook's source is an automation
 * platform, for which a 410 means that nobody listens any more; for all others it is a failure like any other.
 */
export function afterAttempt(
  outcome: AttemptOutcome,
  delivery: {
    readonly attempts: number
    readonly automated: boolean
    readonly waitsMs: readonly number[]
    readonly jitter: number
    readonly now: Date
  },
): AfterAttempt {
  switch (outcome.kind) {
    case 'accepted':
      return settle({ status: 'delivered' })
    case 'interrupted':
      return { kind: 'release' }
    case 'permanent':
      return settle({ status: 'dead', reason: outcome.reason })
    case 'failed': {
      if (outcome.httpStatus === 410 && delivery.automated && outcome.reason === 'http_status') {
        return { kind: 'settle', next: { status: 'dead', reason: 'gone' }, hookGone: true }
      }
      const waitMs = delivery.waitsMs[delivery.attempts - 1]
      if (waitMs === undefined) return settle({ status: 'dead', reason: 'attempts_exhausted' })
      const ownMs = Math.ceil(waitMs * (1 + delivery.jitter))
      // A receiver may ask for more time than the list gives it, never for less.
      const askedMs = Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX)
      const lengthenedByMs = Math.max(0, askedMs - ownMs)
      const dueAt = new Date(delivery.now.getTime() + ownMs + lengthenedByMs)
      return settle({ status: 'pending', dueAt, ...(lengthenedByMs > 0 && { lengthenedByMs }) })
    }
  }
}

/**
 * How long the whole list may take at most, in milliseconds: a delivery that its hook's breaker has put off for longer
 * becomes a dead letter.
 */
export function waitsMsMax(waitsMs: readonly number[]): number {
  return Math.ceil(waitsMs.reduce((sum, waitMs) => sum + waitMs, 0) * (1 + JITTER_MAX))
}

/** Beyond the wait list: the attempts themselves, and leases of nodes that died. */
const GIVE_UP_SLACK_MS = HOUR_MS

/** From a delivery's creation or replay: when its wait list has surely ended. */
export function giveUpAfterMsOf(waitsMs: readonly number[]): number {
  return waitsMsMax(waitsMs) + GIVE_UP_SLACK_MS
}

function settle(next: NextStep): AfterAttempt {
  return { kind: 'settle', next, hookGone: false }
}
