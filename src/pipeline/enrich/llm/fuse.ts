/** Failures in a row after which the model is left alone. */
const FAILURES_MAX = 5
const REST_MS = { first: 60_000, max: 15 * 60_000 }

/** Keeps a broken model server from slowing every review: after five failures in a row it rests, longer each time. */
export type Fuse = {
  /** Both take monotonic milliseconds, so that a wall clock that is set back does not make a rest longer. */
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
      // One more failure after the rest is enough for the next one.
      failures = FAILURES_MAX - 1
      restsUntilMs = nowMs + restMs
      restMs = Math.min(restMs * 2, REST_MS.max)
    },
  }
}
