import { takesFrom } from '../../model/late-reviews.ts'
import {
  feedKindOf,
  marketOf,
  ownerOf,
  publicMarketOf,
  storefrontsOf,
  UNKNOWN_MARKET,
} from '../../model/market.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import { type Recovery, recoveryOf } from '../../model/rating-recovery.ts'
import { triggerOf } from '../../model/rating-rule.ts'
import { slideFrom } from '../../model/rating-slide.ts'
import { type Spike, spikeOf } from '../../model/review-spike.ts'
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
  | 'no_spike'
  | 'no_recovery'

/** A spike, and the storefronts that the watch covers. */
export type MatchedSpike = Spike & { readonly covered: readonly Storefront[] }

export type Match =
  | {
      readonly match: true
      /**
       * The storefront in the payload of a review: the first one that the watch covers, in the order of docs/contract.md,
       * Storefronts. A review of the account's own source has the code of any territory.
       */
      readonly country: string
      /** The rating rule that fired; null for reviews. */
      readonly trigger: Trigger | null
      /** The highest rating of the window of a watch that has one, if the rating fell by its delta from there. */
      readonly slideFrom?: number
      readonly spike?: MatchedSpike
      readonly recovery?: Recovery
    }
  | { readonly match: false; readonly reason: Mismatch }

/**
 * Whether an occurrence matches a watch. Instants are compared exactly. A store that shows whole seconds may date a
 * review up to a second before a watch created in the same second; then the watch does not match (docs/contract.md,
 * Forward-looking).
 */
export function match(occurrence: Occurrence, candidate: Candidate): Match {
  const { watch, storefronts, slideFiredAt, lateReviewsHours } = candidate
  if (watch.store !== occurrence.store || watch.appId !== occurrence.appId) return mismatch('app')
  if (watch.eventType !== occurrence.eventType) return mismatch('event_type')
  const unseenAt = occurrence.eventType === 'review.created' ? occurrence.unseenAt : null
  const from = takesFrom({ createdAt: watch.createdAt, lateReviewsHours }, unseenAt)
  if (occurrence.occurredAt.getTime() < from.getTime()) return mismatch('before_watch')
  const country = countryOf(occurrence, watch, storefronts)
  if (country === null) return mismatch('storefront')

  if (occurrence.eventType === 'rating.dropped') {
    const { deltaMicros, deltaWindowHours } = watch
    if (deltaMicros === null || deltaWindowHours === null) {
      const trigger = triggerOf(watch, occurrence.previous, occurrence.current)
      return trigger === null ? mismatch('rating_rule') : { match: true, country, trigger }
    }
    const trigger = triggerOf({ ...watch, deltaMicros: null }, occurrence.previous, occurrence.current)
    const rule = { deltaMicros, windowHours: deltaWindowHours, from: watch.createdAt }
    const highest = slideFrom(rule, { ...occurrence, at: occurrence.occurredAt }, slideFiredAt)
    if (highest !== null) return { match: true, country, trigger: trigger ?? 'delta', slideFrom: highest }
    return trigger === null ? mismatch('rating_rule') : { match: true, country, trigger }
  }
  if (occurrence.eventType === 'reviews.spiked') return matchSpike(occurrence, candidate, country)
  if (occurrence.eventType === 'rating.recovered') {
    const recovery = recoveryOf(watch, occurrence.history)
    if (recovery === null) return mismatch('no_recovery')
    return { match: true, country, trigger: recovery.drop.trigger, recovery }
  }
  const { rating } = occurrence.review
  if (rating < watch.minStars || rating > watch.maxStars) return mismatch('stars')
  if (watch.rules !== null && !passes(watch.rules, occurrence.review)) return mismatch('rules')
  return { match: true, country, trigger: null }
}

function matchSpike(
  { store, observedAt, negatives }: Extract<Occurrence, { eventType: 'reviews.spiked' }>,
  { watch, storefronts, spikeFiredAt }: Candidate,
  country: string,
): Match {
  if (watch.spike === null) return mismatch('no_spike')
  const covered = watch.storefronts ?? storefronts
  const markets = [...new Set(covered.map((storefront) => marketOf(store, 'reviews', storefront)))]
  const rule = { ...watch.spike, from: watch.createdAt, markets }
  const spike = spikeOf(rule, negatives, observedAt, spikeFiredAt)
  if (spike === null) return mismatch('no_spike')
  return { match: true, country, trigger: null, spike: { ...spike, covered } }
}

/**
 * The first storefront, in the order of docs/contract.md, Storefronts, that is both covered and served by the market; null without one.
 * Only public feeds are polled by storefront: the account's own source shows every territory, so a watch without storefronts covers
 * them all.
 */
function countryOf(
  { store, eventType, market }: Occurrence,
  watch: Candidate['watch'],
  tracked: readonly Storefront[],
): string | null {
  const shown = publicMarketOf(market)
  const served = storefrontsOf(store, feedKindOf(eventType), shown)
  const covered = watch.storefronts ?? tracked
  const first = served.find((storefront) => covered.includes(storefront))
  if (first !== undefined) return first
  if (watch.storefronts !== null || ownerOf(market) === null) return null
  return served[0] ?? (store === 'apple' && /^[a-z]{2}$/.test(shown) ? shown : UNKNOWN_MARKET)
}

function mismatch(reason: Mismatch): Match {
  return { match: false, reason }
}
