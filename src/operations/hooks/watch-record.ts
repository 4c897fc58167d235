import { starsOf } from '../../model/decimal.ts'
import type { Watch, WatchFilter } from '../../model/hook.ts'

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
    keywords: listOf(rules?.keywords),
    excluded_keywords: listOf(rules?.excludedKeywords),
    app_versions: listOf(rules?.appVersions),
    languages: listOf(rules?.languages),
    sentiments: listOf(rules?.sentiments),
    themes: listOf(rules?.themes),
    severities: listOf(rules?.severities),
    is_bug_report: rules?.isBugReport ?? null,
    is_feature_request: rules?.isFeatureRequest ?? null,
    mentions_competitor: rules?.mentionsCompetitor ?? null,
    competitors: listOf(rules?.competitors),
  }
}

function listOf<T>(list: readonly T[] | null | undefined): T[] | null {
  return list == null ? null : [...list]
}
