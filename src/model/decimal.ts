/**
 * Ratings are compared in exact decimal (docs/contract.md, Rating drops): whole millionths of a star, so that 4.5 - 4.4 is 0.1 and
 * never 0.09999999999999964.
 */
export const MICROS_PER_STAR = 1_000_000

/**
 * A store's printed rating as whole millionths, rounded half away from zero at the seventh place. Null when `value` is neither a finite
 * number from 0 to 5 nor its text.
 */
export function ratingMicros(value: number | string): number | null {
  const number = typeof value === 'number' ? value : Number(value.trim() === '' ? Number.NaN : value)
  if (!Number.isFinite(number) || number < 0 || number > 5) return null
  return Math.round(number * MICROS_PER_STAR)
}

/**
 * The delta or threshold of a rule as whole millionths, rounded up: ratings are whole millionths, so they reach the limit exactly when they
 * reach the rounded one. Uses the shortest decimal text, so 0.3 gives 300000.
 */
export function limitMicros(value: number): number {
  return Math.ceil(Number((value * MICROS_PER_STAR).toPrecision(12)))
}

/** Millionths as a JSON number: 4_400_000 gives 4.4. A single division avoids accumulated rounding errors. */
export function starsOf(micros: number): number {
  return micros / MICROS_PER_STAR
}
