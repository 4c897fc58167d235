import { changeTexts } from '../../messages/common.ts'
import { LOCALE } from '../../util/locale.ts'
import { decimal } from '../../util/numbers.ts'

/** The change of a figure between two periods, as text. */
export type Change = { readonly text: string; readonly direction: 'up' | 'down' | 'same' }

const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 })

/** `45%` up or down, `new` if it was zero, or null if both are zero. */
export function countChange(now: number, before: number): Change | null {
  if (now === 0 && before === 0) return null
  if (before === 0) return { text: changeTexts.new, direction: 'up' }
  return { text: PERCENT.format(Math.abs(now / before - 1)), direction: directionOf(now - before) }
}

/** `0.35` stars up or down, or null if either is unknown. */
export function averageChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null
  const distance = decimal(Math.abs(now - before), 2)
  return { text: distance, direction: directionOf(Number(distance) === 0 ? 0 : now - before) }
}

/** `12 points` for percentage points, or null if either is unknown. */
export function shareChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null
  const points = Math.round(100 * now) - Math.round(100 * before)
  return {
    text: changeTexts.points(Math.abs(points)),
    direction: directionOf(points),
  }
}

function directionOf(difference: number): Change['direction'] {
  if (difference === 0) return 'same'
  return difference > 0 ? 'up' : 'down'
}

/** The average of review counts per star, with one star at index 0, or null without reviews. */
export function averageOf(stars: readonly number[]): number | null {
  const count = totalOf(stars)
  return count === 0 ? null : stars.reduce((sum, each, index) => sum + each * (index + 1), 0) / count
}

/** The share of reviews with one or two stars, or null without reviews. */
export function lowShareOf(stars: readonly number[]): number | null {
  const count = totalOf(stars)
  return count === 0 ? null : ((stars[0] ?? 0) + (stars[1] ?? 0)) / count
}

export function totalOf(stars: readonly number[]): number {
  return stars.reduce((sum, count) => sum + count, 0)
}
