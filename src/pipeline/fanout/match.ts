import type { Enrichment } from '../../model/enrichment.ts'
import type { Watch, WatchRules } from '../../model/hook.ts'
import { storefrontsOf } from '../../model/market.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import type { Rating } from '../../model/rating.ts'
import type { Storefront, Trigger } from '../../model/vocabulary.ts'
import type { Candidate } from '../../storage/port/occurrences.ts'

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
       * The storefront in the payload: that of the watch, or the first tracked one in the order of docs/contract.md,
       * Storefronts.
       */
      readonly country: Storefront
      /** The rating rule that fired; null for a review. */
      readonly trigger: Trigger | null
    }
  | { readonly match: false; readonly reason: Mismatch }

/**
 * Whether an occurrence matches a watch. Instants are compared exactly. A store that shows whole seconds may date a
 * review up to a second before a watch created in the same second; then the watch does not match (docs/contract.md,
 * Forward-looking).
 */
export function match(occurrence: Occurrence, { watch, storefronts }: Candidate): Match {
  if (watch.store !== occurrence.store || watch.appId !== occurrence.appId) return mismatch('app')
  if (watch.eventType !== occurrence.eventType) return mismatch('event_type')
  if (occurrence.occurredAt.getTime() < watch.createdAt.getTime()) return mismatch('before_watch')
  const country = countryOf(occurrence, watch.storefront === null ? storefronts : [watch.storefront])
  if (country === null) return mismatch('storefront')

  if (occurrence.eventType === 'rating.dropped') {
    const trigger = triggerOf(watch, occurrence.previous, occurrence.current)
    return trigger === null ? mismatch('rating_rule') : { match: true, country, trigger }
  }
  const { rating, enrichment } = occurrence.review
  if (rating < watch.minStars || rating > watch.maxStars) return mismatch('stars')
  if (watch.rules !== null && !passes(watch.rules, enrichment)) return mismatch('rules')
  return { match: true, country, trigger: null }
}

/** The first storefront, in the order of docs/contract.md, Storefronts, that is both covered and served by the market. */
function countryOf(occurrence: Occurrence, covered: readonly Storefront[]): Storefront | null {
  const kind = occurrence.eventType === 'review.created' ? 'reviews' : 'rating'
  const served = storefrontsOf(occurrence.store, kind, occurrence.market)
  return served.find((storefront) => covered.includes(storefront)) ?? null
}

/**
 * The rating rule of a watch that a change fires, or null; the threshold if both fire (docs/contract.md, Rating drops).
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

/**
 * Whether a review's enrichment passes the rules. An absent or empty rule passes every review. A review without
 * enrichment fails any other rule: otherwise a hook for crashes would get every review while enrichment is unavailable.
 */
export function passes(rules: WatchRules, enrichment: Enrichment | null): boolean {
  const set = (list: readonly string[] | undefined) => (list !== undefined && list.length > 0 ? list : null)
  const languages = set(rules.languages)
  const sentiments = set(rules.sentiments)
  const themes = set(rules.themes)
  const severities = set(rules.severities)
  const { isBugReport, isFeatureRequest } = rules
  const all = [languages, sentiments, themes, severities, isBugReport, isFeatureRequest]
  if (all.every((rule) => rule === null || rule === undefined)) return true
  if (enrichment === null) return false
  return (
    (languages === null || languages.includes(enrichment.language)) &&
    (sentiments === null || sentiments.includes(enrichment.sentiment)) &&
    (themes === null || enrichment.themes.some((theme) => themes.includes(theme))) &&
    (severities === null || severities.includes(enrichment.severity)) &&
    (isBugReport === undefined || isBugReport === enrichment.is_bug_report) &&
    (isFeatureRequest === undefined || isFeatureRequest === enrichment.is_feature_request)
  )
}

function mismatch(reason: Mismatch): Match {
  return { match: false, reason }
}
