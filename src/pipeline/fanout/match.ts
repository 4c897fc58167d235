import type { Watch } from '../../model/hook.ts'
import { storefrontsOf } from '../../model/market.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import type { Rating } from '../../model/rating.ts'
import { slideFrom } from '../../model/rating-slide.ts'
import type { Storefront, Trigger } from '../../model/vocabulary.ts'
import type { Candidate } from '../../storage/port/occurrences.ts'
import { passes } from './review-rules.ts'

/** The first condition of a watch that an occurrence does not meet. */
export type Mismatch =
  | 'app'
  | 'event_type'
  | 'before_watch'
  | 'storefront'
  | 'stars'
  | 'rating_rule'
  | 'rules'

export type Match =
  | {
      readonly match: true
      /**
       * The storefront in the payload: the first one that the watch covers, in the order of docs/contract.md,
       * Storefronts.
       */
      readonly country: Storefront
      /** The rating rule that fired; null for a review. */
      readonly trigger: Trigger | null
      /** The highest rating of the window of a watch that has one, if the rating fell by its delta from there. */
      readonly slideFrom?: number
    }
  | { readonly match: false; readonly reason: Mismatch }

/**
 * Whether an occurrence matches a watch. Instants are compared exactly. A store that shows whole seconds may date a
 * review up to a second before a watch created in the same second; then the watch does not match (docs/contract.md,
 * Forward-looking).
 */
export function match(occurrence: Occurrence, { watch, storefronts, slideFiredAt }: Candidate): Match {
  if (watch.store !== occurrence.store || watch.appId !== occurrence.appId) return mismatch('app')
  if (watch.eventType !== occurrence.eventType) return mismatch('event_type')
  if (occurrence.occurredAt.getTime() < watch.createdAt.getTime()) return mismatch('before_watch')
  const country = countryOf(occurrence, watch.storefronts ?? storefronts)
  if (country === null) return mismatch('storefront')

  if (occurrence.eventType === 'rating.dropped') {
    const { deltaMicros, deltaWindowHours } = watch
    if (deltaMicros === null || deltaWindowHours === null) {
      const trigger = triggerOf(watch, occurrence.previous, occurrence.current)
      return trigger === null ? mismatch('rating_rule') : { match: true, country, trigger }
    }
    const trigger = triggerOf({ ...watch, deltaMicros: null }, occurrence.previous, occurrence.current)
    const rule = { deltaMicros, windowHours: deltaWindowHours, from: watch.createdAt }
    const from = slideFrom(rule, { ...occurrence, at: occurrence.occurredAt }, slideFiredAt)
    if (from !== null) return { match: true, country, trigger: trigger ?? 'delta', slideFrom: from }
    return trigger === null ? mismatch('rating_rule') : { match: true, country, trigger }
  }
  const { rating } = occurrence.review
  if (rating < watch.minStars || rating > watch.maxStars) return mismatch('stars')
  if (watch.rules !== null && !passes(watch.rules, occurrence.review)) return mismatch('rules')
  return { match: true, country, trigger: null }
}

/** The first storefront, in the order of docs/contract.md, Storefronts, that is both covered and served by the market. */
function countryOf(occurrence: Occurrence, covered: readonly Storefront[]): Storefront | null {
  const kind = occurrence.eventType === 'review.created' ? 'reviews' : 'rating'
  const served = storefrontsOf(occurrence.store, kind, occurrence.market)
  return served.find((storefront) => covered.includes(storefront)) ?? null
}

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

function mismatch(reason: Mismatch): Match {
  return { match: false, reason }
}
