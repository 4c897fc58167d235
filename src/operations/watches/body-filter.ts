import { storefrontsOf, type WatchBody } from '../../contract/hook.ts'
import { STARS } from '../../model/hook-limits.ts'
import type { FilterInput } from './new-watch.ts'

type FilterBody = Omit<WatchBody, 'store' | 'app_id'>

/** The filter of a watch or of a watch set in the format of the REST API and of files for `radar apply`. */
export function filterInputOf(body: FilterBody): FilterInput {
  return {
    eventType: body.event_type,
    storefronts: storefrontsOf(body),
    minStars: body.min_stars ?? STARS.min,
    maxStars: body.max_stars ?? STARS.max,
    delta: body.delta ?? null,
    deltaWindowHours: body.delta_window_hours ?? null,
    threshold: body.threshold ?? null,
    spikeMinReviews: body.spike_min_reviews,
    spikeFactor: body.spike_factor,
    rules: {
      keywords: body.keywords,
      excludedKeywords: body.excluded_keywords,
      appVersions: body.app_versions,
      languages: body.languages,
      sentiments: body.sentiments,
      themes: body.themes,
      severities: body.severities,
      isBugReport: body.is_bug_report,
      isFeatureRequest: body.is_feature_request,
      mentionsCompetitor: body.mentions_competitor,
      competitors: body.competitors,
    },
  }
}
