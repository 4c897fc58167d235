/**
 * The rate limiter of this service: the generic cell rate algorithm (GCRA), a token bucket stored as one instant, the
 * theoretical arrival time of the next permit. It gives at most `burst + t / intervalMs` permits in t ms. Pure: the
 * caller stores the instant and provides the time, from the wall clock or a monotonic clock.
 */
export type Rate = {
  /** Permits that an idle caller gets at once: a whole number from 1. */
  readonly burst: number
  /** Milliseconds between two permits after the burst. Above 0; may be a fraction. */
  readonly intervalMs: number
}

/** Tolerance for rounding: a double stores milliseconds since the epoch to a quarter of a microsecond. */
const ROUNDING_MS = 0.001

/** How far the clocks of two nodes may be apart: what another node took still counts. */
const CLOCKS_APART_MS_MAX = 2_000

export type Permits = {
  /** The number of permits taken. */
  readonly taken: number
  /** The state to store for the next call. */
  readonly arrivalMs: number
  /** Milliseconds until the next permit; 0 when all wanted permits were taken. */
  readonly waitMs: number
}

/**
 * Takes up to `wanted` permits that are available now. `arrivalMs` is the result of the last call, null at first. A
 * stored instant more than `aheadMsMax` beyond a used burst, because the clock was set back or the rate was increased,
 * delays the next permit by no more than that, by default an interval and the two seconds by which clocks may differ.
 */
export function takePermits(
  arrivalMs: number | null,
  rate: Rate,
  nowMs: number,
  wanted: number,
  aheadMsMax = rate.intervalMs + CLOCKS_APART_MS_MAX,
): Permits {
  const { intervalMs } = rate
  const slackMs = slackOf(rate)
  const usedMs = usedUpTo(arrivalMs, rate, nowMs, aheadMsMax + ROUNDING_MS)
  const free = Math.floor((nowMs + slackMs - usedMs + ROUNDING_MS) / intervalMs) + 1
  const taken = Math.max(0, Math.min(free, wanted))
  const nextMs = usedMs + taken * intervalMs
  return { taken, arrivalMs: nextMs, waitMs: taken === wanted ? 0 : Math.ceil(nextMs - slackMs - nowMs) }
}

/** How far ahead a reservation may be. An instant further ahead comes from another clock. */
const RESERVED_MS_MAX = 10 * 60_000

/**
 * Reserves the next `count` permits. Returns their instants in order, none before `nowMs`. `costOf` is the cost of each
 * permit, at least 1; a higher cost spreads them further apart.
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

/** How far the arrival time may be ahead of now while permits are available. */
function slackOf(rate: Rate): number {
  return (rate.burst - 1) * rate.intervalMs
}

/**
 * The stored instant, at least `nowMs`. One that is more than `aheadMsMax` beyond the slack counts as a burst that was
 * just used.
 */
function usedUpTo(arrivalMs: number | null, rate: Rate, nowMs: number, aheadMsMax: number): number {
  const fullMs = nowMs + slackOf(rate)
  if (arrivalMs !== null && arrivalMs > fullMs + aheadMsMax) return fullMs
  return Math.max(arrivalMs ?? nowMs, nowMs)
}
