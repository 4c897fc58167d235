import { LOCALE } from './locale.ts'

/** Formats numbers; the only place that does. */

const WHOLE = new Intl.NumberFormat(LOCALE)
const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const AVERAGE = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const WHOLE_PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent' })
const TENTHS = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  roundingMode: 'floor',
})

/** `1,200`. */
export function number(count: number): string {
  return WHOLE.format(count)
}

/** `4.3` with one place, `4.30` with two. */
export function decimal(value: number, places: number): string {
  const format = new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  })
  return format.format(value)
}

/** An average rating: `4.30`. */
export function average(rating: number): string {
  return AVERAGE.format(rating)
}

/** `1.2K`. */
export function compact(count: number): string {
  return COMPACT.format(count)
}

/** `1 review`, `1,200 reviews`; for a word whose plural takes an s. */
export function counted(count: number, one: string): string {
  return `${number(count)} ${one}${count === 1 ? '' : 's'}`
}

/** A share of 0 to 1 in percent, to a tenth, rounded down: "100%" means all of it. Null is a dash. */
export function percent(share: number | null): string {
  if (share === null) return '–'
  return share === 1 || share === 0 ? WHOLE_PERCENT.format(share) : TENTHS.format(share)
}

/** The accepted share of all attempts; each delivered event has one accepted attempt. Null without attempts. */
export function attemptSuccess(delivered: number, failedAttempts: number): number | null {
  const attempts = delivered + failedAttempts
  return attempts === 0 ? null : delivered / attempts
}
