/**
 * A rate limit per hook, as the generic cell rate algorithm: one instant to remember, the time at which the slots given
 * so far are used up at the allowed rate. Pure.
 */

/** Given at once to a hook that was quiet: a fifth of a second's worth, so that claims need not come for each slot. */
export function burstOf(ratePerSecond: number): number {
  return Math.max(1, Math.ceil(ratePerSecond / 5))
}

/** Milliseconds since the epoch keep a third of a microsecond: more than that, and far less than a slot, is forgiven. */
const ROUNDING_SLOTS = 0.001

export type Slots = {
  /** How many of the wanted requests may go now. */
  readonly taken: number
  /** To be kept for the next call: milliseconds since the epoch. */
  readonly paceMs: number
  /** When the next slot comes; null when all that was wanted was given. */
  readonly nextAt: Date | null
}

/**
 * Takes up to `wanted` slots. In any time span at most `ratePerSecond` a second plus one burst are given. `paceMs` is
 * what the last call gave, null at first; `ratePerSecond` is above 0 and may be a fraction.
 */
export function takeSlots(paceMs: number | null, ratePerSecond: number, now: Date, wanted: number): Slots {
  const nowMs = now.getTime()
  const slotMs = 1000 / ratePerSecond
  const toleranceMs = (burstOf(ratePerSecond) - 1) * slotMs
  // Further ahead than a call can have put it: the clock was set back or the limit raised. It is forgotten, since a caller that
  // gets nothing keeps the old one, and would wait until then.
  const isWrong = paceMs !== null && paceMs > nowMs + toleranceMs + slotMs * (1 + ROUNDING_SLOTS)
  const usedUpMs = isWrong ? nowMs : Math.max(paceMs ?? nowMs, nowMs)
  const free = Math.floor((nowMs + toleranceMs - usedUpMs) / slotMs + ROUNDING_SLOTS) + 1
  const taken = Math.max(0, Math.min(free, wanted))
  const nextPaceMs = usedUpMs + taken * slotMs
  return {
    taken,
    paceMs: nextPaceMs,
    nextAt: taken === wanted ? null : new Date(Math.ceil(nextPaceMs - toleranceMs)),
  }
}
