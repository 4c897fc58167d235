import { type Rating, transitionIdOf } from '../../model/rating.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { RatingDecision } from '../../storage/port/feeds.ts'

/** What an observation makes of a listing's rating; when to come again is decided elsewhere. */
export type RatingChanges = Pick<RatingDecision, 'baseline' | 'drop'>

/**
 * Specification 3 for ratings. The first observation seeds the baseline. Any fall, by a millionth of a star even, is
 * one occurrence: which hooks it concerns is for their rules to say. A rise, and a count that changed, only move the
 * baseline; an unchanged aggregate changes nothing. `observed` is null when nobody has rated the app: that is no
 * aggregate, so it moves nothing.
 */
export function detectRating(
  store: Store,
  appId: string,
  observed: Rating | null,
  baseline: Rating | null,
): RatingChanges {
  if (observed === null) return { baseline: null, drop: null }
  if (baseline === null) return { baseline: observed, drop: null }
  if (observed.micros === baseline.micros && observed.count === baseline.count) {
    return { baseline: null, drop: null }
  }
  if (observed.micros >= baseline.micros) return { baseline: observed, drop: null }
  return {
    baseline: observed,
    drop: { occurrenceId: transitionIdOf(store, appId, observed), previous: baseline, current: observed },
  }
}
