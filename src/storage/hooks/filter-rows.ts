import type { WatchFilter, WatchRules } from '../../model/hook.ts'
import type { EventType } from '../../model/vocabulary.ts'
import { jsonOrNull, parsedOrNull } from '../values.ts'
import { storefrontsOf, storefrontsText } from './storefront-text.ts'

/** The columns that watches and watch sets share. */

export const FILTER_COLUMNS =
  'event_type, storefront, min_stars, max_stars, delta_micros, delta_window_hours, threshold_micros, rules, spike_min_reviews, spike_factor'

export type FilterRow = {
  event_type: EventType
  storefront: string | null // storefront-text.ts
  min_stars: number
  max_stars: number
  delta_micros: number | null
  delta_window_hours: number | null
  threshold_micros: number | null
  rules: string | null
  spike_min_reviews: number | null
  spike_factor: number | null
}

export function filterOf(row: FilterRow): WatchFilter {
  return {
    eventType: row.event_type,
    storefronts: storefrontsOf(row.storefront),
    minStars: row.min_stars,
    maxStars: row.max_stars,
    deltaMicros: row.delta_micros,
    deltaWindowHours: row.delta_window_hours,
    thresholdMicros: row.threshold_micros,
    rules: parsedOrNull<WatchRules>(row.rules),
    spike:
      row.spike_min_reviews === null || row.spike_factor === null
        ? null
        : { minReviews: row.spike_min_reviews, factor: row.spike_factor },
  }
}

/** In the order of `FILTER_COLUMNS`. */
export function filterValues(filter: WatchFilter) {
  return [
    filter.eventType,
    storefrontsText(filter.storefronts),
    filter.minStars,
    filter.maxStars,
    filter.deltaMicros,
    filter.deltaWindowHours,
    filter.thresholdMicros,
    jsonOrNull(filter.rules),
    filter.spike?.minReviews ?? null,
    filter.spike?.factor ?? null,
  ] as const
}
