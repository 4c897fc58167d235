import type { Clock } from '../../runtime/clock.ts'
import {
  type AdaptiveLimit,
  afterAnswer,
  type LimitBounds,
  type LimitedAnswer,
  newLimit,
  requestsMax,
} from './adaptive-limit.ts'

/** The adaptive limits of hooks or hosts, in the memory of this process. */
export type Limits = {
  readonly of: (key: string) => number
  readonly answered: (key: string, answer: LimitedAnswer) => void
}

/** After this time without requests, a limit says nothing about the receiver any more (as in RFC 7661 for TCP). */
const KEPT_MS = 5 * 60_000
/** Of many more hooks, those least recently answered start anew. A limit takes half a kilobyte. */
const KEPT_MAX = 4_096

export function createLimits(bounds: LimitBounds, clock: Pick<Clock, 'monotonicMs'>): Limits {
  /** Least recently answered first. */
  const kept = new Map<string, { readonly limit: AdaptiveLimit; readonly answeredMs: number }>()
  const limitOf = (key: string, nowMs: number) => {
    const found = kept.get(key)
    return found !== undefined && nowMs - found.answeredMs <= KEPT_MS ? found.limit : newLimit(bounds)
  }
  return {
    of: (key) => requestsMax(limitOf(key, clock.monotonicMs()), bounds),
    answered(key, answer) {
      const limit = afterAnswer(limitOf(key, answer.endedMs), answer, bounds)
      kept.delete(key)
      kept.set(key, { limit, answeredMs: answer.endedMs })
      const [oldest] = kept.size > KEPT_MAX ? kept.keys() : []
      if (oldest !== undefined) kept.delete(oldest)
    },
  }
}
