/**
 * Ratings are compared in exact decimal (docs/contract.md, Rating drops): whole millionths of a star, so that 4.5 - 4.4 is 0.1 and
 * never 0.09999999999999964.
 */
export const MICROS_PER_STAR = 1_000_000

/**
 * A store's printed rating as whole millionths, rounded half away from zero at the seventh place. Null when `value` is
 * not a finite number of 0 to 5 or its text.
 */
export function ratingMicros(value: number | string): number | null {
  const number = typeof value === 'number' ? value : Number(value.trim() === '' ? Number.NaN : value)
  if (!Number.isFinite(number) || number < 0 || number > 5) return null
  return Math.round(number * MICROS_PER_STAR)
}

/**
 * A rule's number (delta or threshold) as whole millionths, rounded up: whole millionths reach a limit exactly when
 * they reach the next whole one. Works on the shortest decimal text, so 0.3 gives 300000.
 */
export function limitMicros(value: number): number {
  return Math.ceil(Number((value * MICROS_PER_STAR).toPrecision(12)))
}

/** Millionths as the JSON number a reader expects: 4_400_000 gives 4.4. Without rounding noise (one division). */
export function starsOf(micros: number): number {
  return micros / MICROS_PER_STAR
}
