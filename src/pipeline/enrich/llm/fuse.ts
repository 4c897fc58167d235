/** Failures in a row after which the model is left alone. */
const FAILURES_MAX = 5
const REST_MS = { first: 60_000, max: 15 * 60_000 }

/** Keeps a broken model server from slowing every review: after five failures in a row it rests, longer each time. */
export type Fuse = {
  readonly mayAsk: (now: Date) => boolean
  readonly worked: () => void
  readonly failed: (now: Date) => void
}

export function createFuse(): Fuse {
  let failures = 0
  let restMs = REST_MS.first
  let restsUntil = 0
  return {
    mayAsk: (now) => now.getTime() >= restsUntil,
    worked: () => {
      failures = 0
      restMs = REST_MS.first
    },
    failed: (now) => {
      failures += 1
      if (failures < FAILURES_MAX) return
      // One more failure after the rest is enough for the next one.
      failures = FAILURES_MAX - 1
      restsUntil = now.getTime() + restMs
      restMs = Math.min(restMs * 2, REST_MS.max)
    },
  }
}
