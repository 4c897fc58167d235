/** Failures in a row that open the breaker. */
const FAILURES_MAX = 5
const OPEN_MS = { first: 60_000, max: 15 * 60_000 }

export type ModelBreaker = ReturnType<typeof createModelBreaker>

/**
 * A circuit breaker, so that a broken model server does not slow down every review and every draft of an answer. It opens after
 * five failures in a row, for longer each time. Reviews and drafts share it, because they use the same server.
 */
export function createModelBreaker() {
  let failures = 0
  let openMs = OPEN_MS.first
  let openUntilMs = Number.NEGATIVE_INFINITY
  return {
    /** On the monotonic clock, so that a change of the wall clock does not keep the breaker open. */
    mayRequest: (nowMs: number): boolean => nowMs >= openUntilMs,
    /** Until the next request is allowed; 0 when it is. */
    waitMs: (nowMs: number): number => Math.max(0, openUntilMs - nowMs),
    succeeded: (): void => {
      failures = 0
      openMs = OPEN_MS.first
    },
    failed: (nowMs: number): void => {
      failures += 1
      if (failures < FAILURES_MAX) return
      // Half-open: one more failure opens it again.
      failures = FAILURES_MAX - 1
      openUntilMs = nowMs + openMs
      openMs = Math.min(openMs * 2, OPEN_MS.max)
    },
  }
}
