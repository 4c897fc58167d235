/** Failures in a row that open the breaker. */
const FAILURES_MAX = 5
const REST_MS = { first: 60_000, max: 15 * 60_000 }

/**
 * A circuit breaker, so that a broken model server does not slow every review: it opens after five failures in a row,
 * longer each time.
 */
export type Fuse = {
  /** Both take monotonic milliseconds, so that a change of the wall clock does not keep the breaker open longer. */
  readonly mayAsk: (nowMs: number) => boolean
  readonly worked: () => void
  readonly failed: (nowMs: number) => void
}

export function createFuse(): Fuse {
  let failures = 0
  let restMs = REST_MS.first
  let restsUntilMs = Number.NEGATIVE_INFINITY
  return {
    mayAsk: (nowMs) => nowMs >= restsUntilMs,
    worked: () => {
      failures = 0
      restMs = REST_MS.first
    },
    failed: (nowMs) => {
      failures += 1
      if (failures < FAILURES_MAX) return
      // Half-open: one more failure opens it again.
      failures = FAILURES_MAX - 1
      restsUntilMs = nowMs + restMs
      restMs = Math.min(restMs * 2, REST_MS.max)
    },
  }
}
