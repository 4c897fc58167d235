import type { Attempt } from '../../../src/model/delivery.ts'
import type { DeadReason, FailureReason } from '../../../src/model/vocabulary.ts'
import type { Running } from './raw-server.ts'

/** The deadline that the expectations assume: RADAR_DELIVERY_TIMEOUT of the caller. */
export const ATTEMPT_TIMEOUT_MS = 1_500
/** No attempt takes longer, whatever its receiver does: the deadline, and slack for a busy machine. */
export const ATTEMPT_BOUND_MS = ATTEMPT_TIMEOUT_MS + 3_000
/**
 * The most a receiver can send before its connection is dropped: the bytes that the service reads, and the buffers of
 * two kernels.
 */
export const BYTES_OUT_MAX = 16 * 1024 * 1024

/** The record of one attempt; `httpStatus` is null without a response. */
export type ExpectedAttempt = { readonly reason: FailureReason | null; readonly httpStatus: number | null }

export type Expected = {
  /** The first attempts, in order; later ones are like the last of these. */
  readonly attempts: readonly ExpectedAttempt[]
  /** The final state of the delivery. `all`: as many attempts as the list of waits allows. */
  readonly final:
    | { readonly status: 'delivered'; readonly attempts: number }
    | { readonly status: 'dead'; readonly reason: DeadReason; readonly attempts: number | 'all' }
    /** Too slow for an ordinary test. */
    | { readonly status: 'pending'; readonly attempts: number }
  /** How many of these attempts must reach the receiver, where that is not all of them. */
  readonly reached?: number
  /** The requested wait (`Retry-After`), in whole seconds. */
  readonly retryAfterSeconds?: number
  /** Further expectations of the record of the last of `attempts`. */
  readonly check?: (attempt: Attempt) => void
}

export type Receiver = {
  readonly name: string
  /** The source of its hook, if it matters. */
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

/** A dead letter after one attempt without a connection. */
export function refused(reason: 'blocked_address' | 'invalid_request'): Omit<Expected, 'check'> {
  return {
    attempts: [{ reason, httpStatus: null }],
    final: { status: 'dead', reason, attempts: 1 },
    reached: 0,
  }
}
