import { LOCALE } from './locale.ts'

/** The only module that formats numbers. */

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

/** `1 review`, `1,200 reviews`. Only for words with a plural in s. */
export function counted(count: number, one: string): string {
  return `${number(count)} ${one}${count === 1 ? '' : 's'}`
}

/** A share of 0 to 1 in percent, rounded down to a tenth, so that "100%" means all. Null is a dash. */
export function percent(share: number | null): string {
  if (share === null) return '–'
  return share === 1 || share === 0 ? WHOLE_PERCENT.format(share) : TENTHS.format(share)
}

/** The share of accepted attempts, one per delivered event, or null without attempts. */
export function attemptSuccess(delivered: number, failedAttempts: number): number | null {
  const attempts = delivered + failedAttempts
  return attempts === 0 ? null : delivered / attempts
}
