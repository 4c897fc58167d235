import { starsOf } from '../../model/decimal.ts'
import type { Watch, WatchFilter, WatchRules } from '../../model/hook.ts'
import {
  REVIEW_FILTER_FIELDS,
  REVIEW_FILTER_OF_FIELD,
  type ReviewFilterField,
} from '../../model/watch-filter.ts'

/** A watch in the format of the REST API and the commands. Stars are numbers such as 0.1. */
export function watchRecord(watch: Watch) {
  return { store: watch.store, app_id: watch.appId, ...filterRecord(watch) }
}

/** The filter of a watch or a watch set, as each list of hooks has it. */
export function filterRecord(filter: WatchFilter) {
  const { storefronts, deltaMicros, thresholdMicros } = filter
  const [only = null] = storefronts?.length === 1 ? storefronts : []
  return {
    event_type: filter.eventType,
    country: only,
    min_stars: filter.minStars,
    max_stars: filter.maxStars,
    delta: deltaMicros === null ? null : starsOf(deltaMicros),
    threshold: thresholdMicros === null ? null : starsOf(thresholdMicros),
  }
}

/** The filters that only details have: null where the watch has none. */
export function filterDetailRecord({ storefronts, deltaWindowHours, rules, spike }: WatchFilter) {
  return {
    countries: listOf(storefronts),
    delta_window_hours: deltaWindowHours,
    spike_min_reviews: spike?.minReviews ?? null,
    spike_factor: spike?.factor ?? null,
    ...reviewFilterRecord(rules),
  }
}

type Shown<Filter> = Filter extends readonly (infer T)[] ? T[] : Filter
type ReviewFilterRecord = {
  [Field in ReviewFilterField]: Shown<NonNullable<WatchRules[(typeof REVIEW_FILTER_OF_FIELD)[Field]]>> | null
}

function reviewFilterRecord(rules: WatchRules | null): ReviewFilterRecord {
  const entries = REVIEW_FILTER_FIELDS.map((field) => {
    const value = rules?.[REVIEW_FILTER_OF_FIELD[field]] ?? null
    return [field, Array.isArray(value) ? [...value] : value]
  })
  return Object.fromEntries(entries)
}

function listOf<T>(list: readonly T[] | null | undefined): T[] | null {
  return list == null ? null : [...list]
}
