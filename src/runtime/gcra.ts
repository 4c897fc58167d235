/**
 * The rate limit rule of this service: the generic cell rate algorithm (GCRA), a token bucket that is stored as one
 * instant, the theoretical arrival time of the next permit. In a span of t ms at most `burst + t / intervalMs` permits
 * are given. Pure: the caller stores the instant and gives the time, of the wall clock or of a monotonic one.
 */
export type Rate = {
  /** Permits that an idle caller gets at once; a whole number from 1. */
  readonly burst: number
  /** Between two permits after the burst. Above 0, and may be a fraction. */
  readonly intervalMs: number
}

/** Tolerance: a double stores milliseconds since the epoch to a quarter of a microsecond. */
const ROUNDING_MS = 0.001

export type Permits = {
  /** How many of the wanted permits were given. */
  readonly taken: number
  /** To store for the next call. */
  readonly arrivalMs: number
  /** Until the next permit; 0 when all wanted permits were given. */
  readonly waitMs: number
}

/**
 * Takes up to `wanted` permits that are free now. `arrivalMs` is what the last call returned, null at first. A stored
 * instant that is too far ahead, because the clock was set back or the rate raised, delays the next permit by no more
 * than one interval.
 */
export function takePermits(arrivalMs: number | null, rate: Rate, nowMs: number, wanted: number): Permits {
  const { intervalMs } = rate
  const slackMs = slackOf(rate)
  const usedMs = usedUpTo(arrivalMs, rate, nowMs, intervalMs + ROUNDING_MS)
  const free = Math.floor((nowMs + slackMs - usedMs + ROUNDING_MS) / intervalMs) + 1
  const taken = Math.max(0, Math.min(free, wanted))
  const nextMs = usedMs + taken * intervalMs
  return { taken, arrivalMs: nextMs, waitMs: taken === wanted ? 0 : Math.ceil(nextMs - slackMs - nowMs) }
}

/** How far ahead reservations may be stored. An instant further ahead comes from another clock. */
const RESERVED_MS_MAX = 10 * 60_000

/**
 * Reserves the next `count` permits, free now or later: their instants, rising and none before `nowMs`. `costOf`
 * gives the price of each permit in permits, from 1: more than 1 spreads them further apart.
 */
export function reservePermits(
  arrivalMs: number | null,
  rate: Rate,
  nowMs: number,
  count: number,
  costOf: () => number = () => 1,
): { readonly permitsAtMs: readonly number[]; readonly arrivalMs: number } {
  const slackMs = slackOf(rate)
  let usedMs = usedUpTo(arrivalMs, rate, nowMs, RESERVED_MS_MAX)
  const permitsAtMs: number[] = []
  for (let index = 0; index < count; index += 1) {
    permitsAtMs.push(Math.max(nowMs, usedMs - slackMs))
    usedMs = Math.max(nowMs, usedMs) + rate.intervalMs * costOf()
  }
  return { permitsAtMs, arrivalMs: usedMs }
}

/** How far the arrival time may run ahead of now while permits are still free. */
function slackOf(rate: Rate): number {
  return (rate.burst - 1) * rate.intervalMs
}

/** The stored instant, from `nowMs` on; one more than `aheadMsMax` beyond the slack counts as a burst just used up. */
function usedUpTo(arrivalMs: number | null, rate: Rate, nowMs: number, aheadMsMax: number): number {
  const fullMs = nowMs + slackOf(rate)
  if (arrivalMs !== null && arrivalMs > fullMs + aheadMsMax) return fullMs
  return Math.max(arrivalMs ?? nowMs, nowMs)
}
