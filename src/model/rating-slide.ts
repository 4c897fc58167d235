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
  const highs = createHighs()
  for (const { observedAtMs, micros } of history) if (observedAtMs < atMs) highs.add(micros, observedAtMs)
  highs.add(previous.micros, atMs)
  return highs.before(atMs)
}

type Highs = {
  /** A rating that was observed after the ones before. */
  readonly add: (micros: number, observedAtMs: number) => void
  /** `ratingHighs` of what was added. Later calls have later instants. */
  readonly before: (atMs: number) => RatingHigh[]
}

/** The highs of a growing history, which reads each rating once. */
export function createHighs(): Highs {
  const highs: { readonly micros: number; untilMs: number }[] = []
  return {
    add(micros, observedAtMs) {
      const last = highs.at(-1)
      if (last !== undefined) last.untilMs = observedAtMs
      while ((highs.at(-1)?.micros ?? Number.POSITIVE_INFINITY) <= micros) highs.pop()
      highs.push({ micros, untilMs: Number.POSITIVE_INFINITY })
    },
    before(atMs) {
      while (atMs - (highs[0]?.untilMs ?? atMs) >= SLIDE_MS_MAX) highs.shift()
      return highs.map(({ micros, untilMs }) => ({ micros, ageMs: Math.max(0, atMs - untilMs) }))
    },
  }
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
