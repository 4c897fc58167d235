import type { Clock } from '../runtime/clock.ts'

/** Takes one of a key's turns: 0 when there was one, else milliseconds until the next is free. */
export type RateLimit = (key: string) => number

/** At most `max` turns in any `windowMs`, for each key. Forgets keys that were quiet for a window. */
export function createRateLimit(options: {
  readonly max: number
  readonly windowMs: number
  readonly clock: Clock
}): RateLimit {
  const { max, windowMs, clock } = options
  const turns = new Map<string, number[]>()
  let sweepAtMs = Number.NEGATIVE_INFINITY
  return (key) => {
    const nowMs = clock.monotonicMs()
    if (nowMs >= sweepAtMs) {
      sweepAtMs = nowMs + windowMs
      for (const [other, times] of turns) if ((times.at(-1) ?? 0) + windowMs <= nowMs) turns.delete(other)
    }
    const recent = (turns.get(key) ?? []).filter((time) => time + windowMs > nowMs)
    const [oldest] = recent
    if (recent.length >= max && oldest !== undefined) return Math.ceil(oldest + windowMs - nowMs)
    turns.set(key, [...recent, nowMs])
    return 0
  }
}
