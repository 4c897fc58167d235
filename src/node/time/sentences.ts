import type { ClockState } from '../../storage/port/time.ts'
import { SKEW_MS_MAX, type Timekeeper } from './keeper.ts'

/** Why a node on the machine `whose` claims nothing, or null. */
export function skewSentence(skewMs: number, whose: string): string | null {
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return null
  return `The clock of ${whose} is ${duration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the database's: a node there claims nothing until the difference is below ${duration(SKEW_MS_MAX)}. Check the time synchronization (NTP) of that machine.`
}

/** The effect of an unconfirmed jump, or null. */
export function jumpSentence({ lastJump, unconfirmedUntil }: ClockState): string | null {
  if (lastJump === null || unconfirmedUntil === null) return null
  const { at, byMs, whileStopped } = lastJump
  const by = duration(Math.abs(byMs))
  const what =
    byMs < 0
      ? `The clock went back by ${by} at ${at.toISOString()}`
      : whileStopped
        ? `No node ran for ${by} before ${at.toISOString()}, or the clock went forward by that much`
        : `The clock went forward by ${by} at ${at.toISOString()}`
  return `${what}: retention and expiry are paused until ${unconfirmedUntil.toISOString()}. If the time is wrong, correct it before then.`
}

/** Warnings about the clock of this node; empty when there are none. */
export function timeWarnings(keeper: Pick<Timekeeper, 'state'>): string[] {
  const sentence = jumpSentence(keeper.state())
  return sentence === null ? [] : [sentence]
}

/** `400.0 days`, `2.5 h`, `12.0 s`. */
export function duration(ms: number): string {
  const units = [
    [86_400_000, 'days'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ] as const
  for (const [unitMs, name] of units) if (ms >= unitMs) return `${(ms / unitMs).toFixed(1)} ${name}`
  return `${(ms / 1_000).toFixed(1)} s`
}
