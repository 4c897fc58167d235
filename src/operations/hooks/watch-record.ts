import { starsOf } from '../../model/decimal.ts'
import type { Watch } from '../../model/hook.ts'

/** A watch in the format of the REST API and the commands. Stars are numbers such as 0.1. */
export function watchRecord(watch: Watch) {
  return {
    store: watch.store,
    app_id: watch.appId,
    event_type: watch.eventType,
    country: watch.storefront,
    min_stars: watch.minStars,
    max_stars: watch.maxStars,
    delta: watch.deltaMicros === null ? null : starsOf(watch.deltaMicros),
    threshold: watch.thresholdMicros === null ? null : starsOf(watch.thresholdMicros),
  }
}
