import type { Attempt } from '../../../src/model/delivery.ts'
import type { DeadReason, FailureReason } from '../../../src/model/vocabulary.ts'
import type { Running } from './raw-server.ts'

/** Of attempts that end with it. Long enough for a busy machine to reach the phase that does not end. */
const HANGING_TIMEOUT_MS = 5_000
/** Of attempts that end with an answer or a refusal, long before. */
const ANSWERED_TIMEOUT_MS = 60_000
/** Time for a busy machine after the timeout. Only an attempt without an end takes this long. */
const LATE_MS_MAX = 60_000

/** Whether the attempts end with the timeout. */
export function hangs({ expect }: Receiver): boolean {
  return expect.attempts.some(({ reason }) => reason?.startsWith('timeout'))
}

/** The timeout of an attempt that the expectations assume, and the maximum duration of the attempt. */
export function limitsOf(isHanging: boolean): { readonly timeoutMs: number; readonly boundMs: number } {
  const timeoutMs = isHanging ? HANGING_TIMEOUT_MS : ANSWERED_TIMEOUT_MS
  return { timeoutMs, boundMs: timeoutMs + LATE_MS_MAX }
}

/**
 * The maximum that a receiver can send before the service closes the connection: the bytes that the service reads, and
 * kernel buffers.
 */
export const BYTES_OUT_MAX = 16 * 1024 * 1024

/** The expected record of an attempt. `httpStatus` is null without a response. */
export type ExpectedAttempt = { readonly reason: FailureReason | null; readonly httpStatus: number | null }

export type Expected = {
  /** The first attempts in order. Later ones equal the last of these. */
  readonly attempts: readonly ExpectedAttempt[]
  /** The final state of the delivery. `all`: all attempts of the retry schedule. */
  readonly final:
    | { readonly status: 'delivered'; readonly attempts: number }
    | { readonly status: 'dead'; readonly reason: DeadReason; readonly attempts: number | 'all' }
    /** The next attempt would be too late for a test. */
    | { readonly status: 'pending'; readonly attempts: number }
  /** The number of attempts that reach the receiver. Default: all. */
  readonly reached?: number
  /** The wait that the receiver requests (`Retry-After`), in whole seconds. */
  readonly retryAfterSeconds?: number
  /** Further assertions about the last of `attempts`. */
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

/** Fails the same way in all attempts of the retry schedule. */
export function failing(
  reason: FailureReason,
  httpStatus: number | null,
): Pick<Expected, 'attempts' | 'final'> {
  return {
    attempts: [{ reason, httpStatus }],
    final: { status: 'dead', reason: 'attempts_exhausted', attempts: 'all' },
  }
}

/** Becomes a dead letter after one attempt without a connection. */
export function blocked(reason: 'blocked_address' | 'invalid_request'): Omit<Expected, 'check'> {
  return {
    attempts: [{ reason, httpStatus: null }],
    final: { status: 'dead', reason, attempts: 1 },
    reached: 0,
  }
}
