/**
 * How many requests one receiver gets at once, found from its answers as TCP finds its congestion window. Pure.
 *
 * grows    by one per window of accepted requests, while their median latency stays near the lowest one.
 * shrinks  to the number at which the latency would be near the lowest again, but not below `start`: a slow receiver may still answer more
 *          per second than with fewer requests.
 * halves   after a timeout, a connection error or an answer that asks for less. Requests that began before do not halve it again.
 * measures the lowest latency again after some windows, with at most `start` requests at once. Otherwise a queue in the receiver, which
 *          lasts as long as the requests, would raise it little by little.
 */
export type AdaptiveLimit = {
  readonly limit: number
  /** The median latency of a window, the lowest since it was measured; null while it is measured. */
  readonly lowestMs: number | null
  /** Of the accepted requests in this window. */
  readonly latenciesMs: readonly number[]
  /** Windows since the lowest latency was measured. */
  readonly windows: number
  /** Requests that began until then say nothing about the present limit. On the monotonic clock. */
  readonly sinceMs: number
}

export type LimitBounds = { readonly min: number; readonly start: number; readonly max: number }

export type LimitedAnswer = {
  /** An overload is a timeout, a connection error or an answer that asks for fewer requests. */
  readonly kind: 'accepted' | 'overloaded'
  /** Both on the monotonic clock. */
  readonly startedMs: number
  readonly endedMs: number
  /** Requests under way, including this one. */
  readonly inFlight: number
}

/** Fewer answers give no reliable median: eight of a receiver whose latency varies by half differ by a fifth. */
const WINDOW_ANSWERS_MIN = 16
/** Twice the lowest latency: the receiver works on half of the requests, while the others wait there. More would not be answered sooner. */
const TOLERANCE = 2
/** Below it, differences come from this process, such as a busy event loop. */
const TOLERANCE_MS = 5
/** Measuring takes two round trips of some hundred, so it costs a hundredth of the throughput. */
const WINDOWS_MAX = 100

export function newLimit({ start }: LimitBounds): AdaptiveLimit {
  return { limit: start, lowestMs: null, latenciesMs: [], windows: 0, sinceMs: Number.NEGATIVE_INFINITY }
}

/** The requests that may be under way now. */
export function requestsMax({ limit, lowestMs }: AdaptiveLimit, { start }: LimitBounds): number {
  return lowestMs === null ? Math.min(limit, start) : limit
}

export function afterAnswer(state: AdaptiveLimit, answer: LimitedAnswer, bounds: LimitBounds): AdaptiveLimit {
  if (answer.startedMs <= state.sinceMs) return state
  if (answer.kind === 'overloaded') {
    const limit = Math.max(bounds.min, Math.floor(state.limit / 2))
    return { ...state, limit, latenciesMs: [], sinceMs: answer.endedMs }
  }
  // With fewer requests than allowed, the answers do not show that more would be accepted.
  if (answer.inFlight * 2 <= requestsMax(state, bounds)) return state
  const latenciesMs = [...state.latenciesMs, answer.endedMs - answer.startedMs]
  if (latenciesMs.length < windowOf(state, bounds)) return { ...state, latenciesMs }
  return afterWindow({ ...state, latenciesMs: [] }, median(latenciesMs), answer.endedMs, bounds)
}

/** The answers of a window. Below `start`, latency is not compared, so that an overloaded receiver recovers quickly. */
function windowOf(state: AdaptiveLimit, bounds: LimitBounds): number {
  return state.limit < bounds.start ? state.limit : Math.max(requestsMax(state, bounds), WINDOW_ANSWERS_MIN)
}

function afterWindow(
  state: AdaptiveLimit,
  medianMs: number,
  nowMs: number,
  bounds: LimitBounds,
): AdaptiveLimit {
  const grown = Math.min(bounds.max, state.limit + 1)
  if (state.limit < bounds.start) return { ...state, limit: grown }
  if (state.windows >= WINDOWS_MAX) return { ...state, lowestMs: null, windows: 0, sinceMs: nowMs }
  // The limit may have grown with a lowest latency that no longer holds, so the next window decides.
  if (state.lowestMs === null) return { ...state, lowestMs: medianMs, windows: 0 }
  const lowestMs = Math.min(state.lowestMs, medianMs)
  const toleratedMs = lowestMs * TOLERANCE + TOLERANCE_MS
  const measured = { ...state, lowestMs, windows: state.windows + 1 }
  if (medianMs <= toleratedMs) return { ...measured, limit: grown }
  const limit = Math.max(bounds.start, Math.floor((state.limit * toleratedMs) / medianMs))
  return { ...measured, limit, sinceMs: nowMs }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0
}
