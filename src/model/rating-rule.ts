import type { Watch } from './hook.ts'
import type { Rating } from './rating.ts'
import { createHighs, slideFrom } from './rating-slide.ts'
import type { Trigger } from './vocabulary.ts'

/**
 * The rating rule of a watch without a window that a change fires, or null; the threshold if both fire (docs/contract.md, Rating drops).
 * Ratings are whole millionths of a star, so 4.5 to 4.4 reaches a delta of 0.1 exactly.
 */
export function triggerOf(
  rule: Pick<Watch, 'deltaMicros' | 'thresholdMicros'>,
  previous: Rating,
  current: Rating,
): Trigger | null {
  const { deltaMicros, thresholdMicros } = rule
  const decreaseMicros = previous.micros - current.micros
  if (decreaseMicros <= 0) return null
  if (thresholdMicros !== null && previous.micros >= thresholdMicros && current.micros < thresholdMicros) {
    return 'threshold'
  }
  return deltaMicros !== null && decreaseMicros >= deltaMicros ? 'delta' : null
}

/** One observed rating of a storefront. */
export type RatingAt = Rating & { readonly observedAtMs: number }

/** The fields of a watch that its rating drops depend on. */
export type RatingRule = Pick<Watch, 'deltaMicros' | 'deltaWindowHours' | 'thresholdMicros' | 'createdAt'>

/** A drop that fires a rule. */
export type FiredDrop = {
  readonly trigger: Trigger
  /** The rating before the drop: the last one, or the highest of the window. */
  readonly fromMicros: number
  readonly to: RatingAt
}

/**
 * For each observed rating but the first, the drop that it fires, or null. `points` are the ratings of one storefront,
 * oldest first, without gaps: each change is one of them.
 */
export function firedDrops(rule: RatingRule, points: readonly RatingAt[]): (FiredDrop | null)[] {
  const { deltaMicros, deltaWindowHours, createdAt } = rule
  const window =
    deltaMicros === null || deltaWindowHours === null
      ? null
      : { deltaMicros, windowHours: deltaWindowHours, from: createdAt }
  const single = window === null ? rule : { ...rule, deltaMicros: null }
  const highs = createHighs()
  let firedAt: Date | null = null
  return points.slice(1).map((to, index): FiredDrop | null => {
    const previous = points[index] ?? to
    highs.add(previous.micros, previous.observedAtMs)
    if (to.micros >= previous.micros || to.observedAtMs < createdAt.getTime()) return null
    const trigger = triggerOf(single, previous, to)
    const at = new Date(to.observedAtMs)
    const slide: number | null =
      window === null
        ? null
        : slideFrom(window, { at, current: to, highs: highs.before(to.observedAtMs) }, firedAt)
    if (slide !== null) firedAt = at
    if (trigger !== null) return { trigger, fromMicros: previous.micros, to }
    return slide === null ? null : { trigger: 'delta', fromMicros: slide, to }
  })
}
