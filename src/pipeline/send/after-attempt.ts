import type { FailureReason, TargetFailureReason } from '../../model/vocabulary.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { NextStep } from '../../storage/port/deliveries.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** A longer `Retry-After` counts as this: the longest wait of the list. */
export const RETRY_AFTER_MS_MAX = 24 * HOUR_MS

/** Up to this share is added to each wait, so that deliveries that failed together are not retried together. */
export const JITTER_MAX = 0.1

type PermanentReason = 'blocked_address' | 'invalid_request' | TargetFailureReason

/** The result of one attempt. */
export type AttemptOutcome =
  /** `httpStatus` is null for a hook without a receiver. */
  | { readonly kind: 'accepted'; readonly httpStatus: number | null }
  | {
      readonly kind: 'failed'
      readonly reason: Exclude<FailureReason, PermanentReason | 'interrupted'>
      /** Null without a status. */
      readonly httpStatus: number | null
      /** The `Retry-After` of a 429 or 503. */
      readonly retryAfterMs: number | null
      /** A rate limit of the channel: the other deliveries of the hook also wait. Absent: they do not. */
      readonly holdMs?: number
    }
  /** Every attempt would fail until the hook or the settings change. */
  | { readonly kind: 'permanent'; readonly reason: PermanentReason }
  /** The service aborted it, so it says nothing about the target. */
  | { readonly kind: 'interrupted' }

export type AfterAttempt =
  | {
      readonly kind: 'settle'
      readonly next: NextStep
      /** The hook's trigger was turned off: the hook ends with this delivery. */
      readonly hookGone: boolean
    }
  /** The lease is released and the attempt does not count. */
  | { readonly kind: 'release' }

/**
 * The next step of a delivery after an attempt (docs/contract.md, Delivery). Pure: the caller provides the time and the
 * jitter, from 0 to `JITTER_MAX`. `attempts` includes this one. `automated`: the hook's source is an automation
 * platform, where a 410 means that the trigger was turned off. For other hooks a 410 is an ordinary failure.
 */
export function afterAttempt(
  outcome: AttemptOutcome,
  delivery: {
    readonly attempts: number
    readonly automated: boolean
    readonly waitsMs: readonly number[]
    readonly jitter: number
    readonly now: Instant
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
      // A receiver can only lengthen a wait.
      const requestedMs = Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX)
      const lengthenedByMs = Math.max(0, requestedMs - ownMs)
      const dueAt = later(delivery.now, ownMs + lengthenedByMs)
      return settle({ status: 'pending', dueAt, ...(lengthenedByMs > 0 && { lengthenedByMs }) })
    }
  }
}

/**
 * The longest time that the whole list can take, in milliseconds. A delivery that the breaker delays for longer becomes
 * a dead letter.
 */
export function waitsMsMax(waitsMs: readonly number[]): number {
  return Math.ceil(waitsMs.reduce((sum, waitMs) => sum + waitMs, 0) * (1 + JITTER_MAX))
}

/** Added to the waits: time for the attempts themselves and for leases of crashed nodes. */
const EXPIRY_SLACK_MS = HOUR_MS

/** How long after its creation or replay a delivery expires: all retries have ended by then. */
export function expireAfterMsOf(waitsMs: readonly number[]): number {
  return waitsMsMax(waitsMs) + EXPIRY_SLACK_MS
}

function settle(next: NextStep): AfterAttempt {
  return { kind: 'settle', next, hookGone: false }
}
