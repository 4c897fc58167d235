import { clockTime, dayOf, monthOf } from '../../util/time.ts'

/** Positions of values and instants on the axes of a chart. */

export type Scale = (value: number) => number

/** Maps [from, to] linearly to [start, end]. */
export function linear(from: number, to: number, start: number, end: number): Scale {
  const span = to - from || 1
  return (value) => start + ((value - from) / span) * (end - start)
}

/** Round values from `low` to `high`, about `count` of them. */
export function valueTicks(low: number, high: number, count: number, minStep = 0): number[] {
  const rough = Math.max((high - low) / count, minStep, Number.EPSILON)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10)
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toFixed(6)))
}

/** The highest tick of a count axis that starts at zero. */
export function countTop(max: number): number {
  const step = valueTicks(0, Math.max(1, max), 4, 1)[1] ?? 1
  return Math.max(step, Math.ceil(max / step) * step)
}

export type TimeTick = { readonly atMs: number; readonly label: string }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const STEPS = [
  { unit: 'hour', by: 1, ms: HOUR_MS },
  { unit: 'hour', by: 3, ms: 3 * HOUR_MS },
  { unit: 'hour', by: 6, ms: 6 * HOUR_MS },
  { unit: 'hour', by: 12, ms: 12 * HOUR_MS },
  { unit: 'day', by: 1, ms: DAY_MS },
  { unit: 'day', by: 2, ms: 2 * DAY_MS },
  { unit: 'day', by: 7, ms: 7 * DAY_MS },
  { unit: 'day', by: 14, ms: 14 * DAY_MS },
  { unit: 'month', by: 1, ms: 31 * DAY_MS },
  { unit: 'month', by: 3, ms: 92 * DAY_MS },
  { unit: 'month', by: 12, ms: 366 * DAY_MS },
] as const

/** Whole hours, days or months of the viewer's zone within the span, at most `most` of them. */
export function timeTicks(sinceMs: number, untilMs: number, max: number): TimeTick[] {
  const step = STEPS.find(({ ms }) => (untilMs - sinceMs) / ms <= max) ?? STEPS.at(-1)
  if (step === undefined) return []
  const ticks: TimeTick[] = []
  const at = firstOf(step, sinceMs)
  while (at.getTime() <= untilMs) {
    if (at.getTime() >= sinceMs) ticks.push({ atMs: at.getTime(), label: labelOf(step.unit, at) })
    advance(at, step)
  }
  return ticks
}

type Step = (typeof STEPS)[number]

function firstOf({ unit, by }: Step, sinceMs: number): Date {
  const at = new Date(sinceMs)
  at.setMinutes(0, 0, 0)
  at.setHours(unit === 'hour' ? Math.floor(at.getHours() / by) * by : 0)
  if (unit === 'month') at.setMonth(Math.floor(at.getMonth() / by) * by, 1)
  return at
}

function advance(at: Date, { unit, by }: Step): void {
  if (unit === 'hour') at.setTime(at.getTime() + by * HOUR_MS)
  else if (unit === 'day') at.setDate(at.getDate() + by)
  else at.setMonth(at.getMonth() + by)
}

function labelOf(unit: Step['unit'], at: Date): string {
  if (unit === 'month') return monthOf(at)
  return unit === 'hour' && at.getHours() !== 0 ? clockTime(at) : dayOf(at)
}
