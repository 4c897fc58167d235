import type { Attempt } from '../../../src/model/delivery.ts'
import type { DeadReason, FailureReason } from '../../../src/model/vocabulary.ts'
import type { Running } from './raw-server.ts'

/** The deadline the expectations are written for: RADAR_DELIVERY_TIMEOUT of whoever drives the receivers. */
export const ATTEMPT_TIMEOUT_MS = 1_500
/** No attempt takes longer, whatever its receiver does: the deadline, and room for a busy machine. */
export const ATTEMPT_BOUND_MS = ATTEMPT_TIMEOUT_MS + 3_000
/** What a receiver may get rid of before its connection is dropped: what we read, and the buffers of two kernels. */
export const BYTES_OUT_MAX = 16 * 1024 * 1024

/** What one attempt records; `httpStatus` is null when none came. */
export type ExpectedAttempt = { readonly reason: FailureReason | null; readonly httpStatus: number | null }

export type Expected = {
  /** The first attempts, in order; later ones are like the last of these. */
  readonly attempts: readonly ExpectedAttempt[]
  /** What the delivery comes to. `all`: as many attempts as the list of waits allows. */
  readonly final:
    | { readonly status: 'delivered'; readonly attempts: number }
    | { readonly status: 'dead'; readonly reason: DeadReason; readonly attempts: number | 'all' }
    /** Waits longer than a test should. */
    | { readonly status: 'pending'; readonly attempts: number }
  /** How many of these attempts must reach the receiver, where that is not all of them. */
  readonly reached?: number
  /** What the receiver asks us to wait, in whole seconds. */
  readonly retryAfterSeconds?: number
  /** More to hold about the record of the last of `attempts`. */
  readonly check?: (attempt: Attempt) => void
}

export type Receiver = {
  readonly name: string
  /** The source of the hook it belongs to, where that matters. */
  readonly source?: string
  readonly start: () => Promise<Running>
  readonly expect: Expected
}

/** Accepted at the first attempt with this status. */
export function accepted(httpStatus: number): Pick<Expected, 'attempts' | 'final'> {
  return { attempts: [{ reason: null, httpStatus }], final: { status: 'delivered', attempts: 1 } }
}

/** Fails the same way until the list of waits is used up. */
export function failing(
  reason: FailureReason,
  httpStatus: number | null,
): Pick<Expected, 'attempts' | 'final'> {
  return {
    attempts: [{ reason, httpStatus }],
    final: { status: 'dead', reason: 'attempts_exhausted', attempts: 'all' },
  }
}

/** A dead letter after one attempt that reached nobody. */
export function refused(reason: 'blocked_address' | 'invalid_request'): Omit<Expected, 'check'> {
  return {
    attempts: [{ reason, httpStatus: null }],
    final: { status: 'dead', reason, attempts: 1 },
    reached: 0,
  }
}
