/** Failures in a row that open the breaker. */
const FAILURES_MAX = 5
const OPEN_MS = { first: 60_000, max: 15 * 60_000 }

/**
 * A circuit breaker, so that a broken model server does not slow down every review. It opens after five failures in a
 * row, for longer each time.
 */
export type ModelBreaker = {
  /** On the monotonic clock, so that a change of the wall clock does not keep the breaker open. */
  readonly mayRequest: (nowMs: number) => boolean
  readonly succeeded: () => void
  readonly failed: (nowMs: number) => void
}

export function createModelBreaker(): ModelBreaker {
  let failures = 0
  let openMs = OPEN_MS.first
  let openUntilMs = Number.NEGATIVE_INFINITY
  return {
    mayRequest: (nowMs) => nowMs >= openUntilMs,
    succeeded: () => {
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
