/** Failures in a row that open the breaker. */
const FAILURES_MAX = 5
const OPEN_MS = { first: 60_000, max: 15 * 60_000 }

/**
 * A circuit breaker, so that a broken model server does not slow every review: it opens after five failures in a row,
 * longer each time.
 */
export type ModelBreaker = {
  /** Both take monotonic milliseconds, so that a change of the wall clock does not keep the breaker open longer. */
  readonly mayRequest: (nowMs: number) => boolean
  readonly worked: () => void
  readonly failed: (nowMs: number) => void
}

export function createModelBreaker(): ModelBreaker {
  let failures = 0
  let openMs = OPEN_MS.first
  let openUntilMs = Number.NEGATIVE_INFINITY
  return {
    mayRequest: (nowMs) => nowMs >= openUntilMs,
    worked: () => {
      failures = 0
      openMs = OPEN_MS.first
    },
    failed: (nowMs) => {
      failures += 1
      if (failures < FAILURES_MAX) return
      // Half-open: one more failure opens it again.
      failures = FAILURES_MAX - 1
      openUntilMs = nowMs + openMs
      openMs = Math.min(openMs * 2, OPEN_MS.max)
    },
  }
}
