import { DELTA_WINDOW_HOURS } from './hook-limits.ts'
import type { Rating } from './rating.ts'

/**
 * Slow slides (docs/contract.md, Slow slides): a rating is compared with the highest one of a window instead of the last
 * one. All of this is pure, so that a slide depends only on the observed ratings.
 */

const HOUR_MS = 3_600_000
/** The longest window of a watch. */
export const SLIDE_MS_MAX = DELTA_WINDOW_HOURS.max * HOUR_MS

/** A rating that an app had before a drop: the next rating was observed `ageMs` before the drop; 0 for the last one. */
export type RatingHigh = { readonly micros: number; readonly ageMs: number }

/**
 * The ratings before a drop that may be the highest of a window, oldest first: each is higher than all later ones.
 * `history` has the observations before the drop, oldest first.
 */
export function ratingHighs(
  history: readonly { readonly observedAtMs: number; readonly micros: number }[],
  previous: Rating,
  atMs: number,
): RatingHigh[] {
  const before = history.filter(({ observedAtMs }) => observedAtMs < atMs)
  const ratings = before.map(({ micros }, index) => ({
    micros,
    ageMs: atMs - (before[index + 1]?.observedAtMs ?? atMs),
  }))
  const highs: RatingHigh[] = []
  for (const rating of [...ratings, { micros: previous.micros, ageMs: 0 }].reverse()) {
    const isOld = rating.ageMs >= SLIDE_MS_MAX
    if (!isOld && rating.micros > (highs[0]?.micros ?? 0)) highs.unshift(rating)
  }
  return highs
}

/** The fields of a watch and of a drop that a slide depends on. */
export type SlideRule = { readonly deltaMicros: number; readonly windowHours: number; readonly from: Date }
export type Drop = {
  readonly at: Date
  readonly current: Rating
  readonly highs: readonly RatingHigh[]
}

/**
 * The highest rating of the window if a drop fires the rule, else null. The window has the ratings of the last
 * `windowHours`, but none before the watch (`from`) and none before its last event (`firedAt`), so that each part of a
 * fall is reported once. The rating at the start of the window is part of it.
 */
export function slideFrom(
  { deltaMicros, windowHours, from }: SlideRule,
  { at, current, highs }: Drop,
  firedAt: Date | null,
): number | null {
  const atMs = at.getTime()
  const firedMs = firedAt?.getTime() ?? Number.NEGATIVE_INFINITY
  // A later drop was handled first and has reported this fall.
  if (firedMs >= atMs) return null
  const startMs = Math.max(atMs - windowHours * HOUR_MS, from.getTime(), firedMs)
  const inWindow = highs.filter(({ ageMs }) => ageMs === 0 || atMs - ageMs > startMs)
  const highest = Math.max(...inWindow.map(({ micros }) => micros))
  return highest > current.micros && highest - current.micros >= deltaMicros ? highest : null
}
