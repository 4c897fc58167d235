import { type Rating, transitionIdOf } from '../../model/rating.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { RatingDecision } from '../../storage/port/feeds.ts'

/** The changes from one observation, without the next poll, which schedule.ts sets. */
export type RatingChanges = Pick<RatingDecision, 'baseline' | 'drop'>

/**
 * The changes from one observed rating (docs/contract.md, Rating drops). The first observation sets the baseline. Every
 * drop, even by a millionth of a star, is one occurrence; the watches decide which hooks get it. A rise or a changed
 * count only updates the baseline. `observed` is null when the app has no ratings, which changes nothing.
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
