import { type Rating, transitionIdOf } from '../../model/rating.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { RatingDecision } from '../../storage/port/feeds.ts'

/** The changes of one observation; schedule.ts decides on the next poll. */
export type RatingChanges = Pick<RatingDecision, 'baseline' | 'drop'>

/**
 * The changes of a rating (docs/contract.md, Rating drops). The first observation sets the baseline. Every drop, even
 * by a millionth of a star, is one occurrence; the rules of hooks decide which hooks get it. A rise or a changed count
 * only moves the baseline. `observed` is null when the app has no ratings: then nothing changes.
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
