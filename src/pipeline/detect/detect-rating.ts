import { type Rating, transitionIdOf } from '../../model/rating.ts'
import { recoveryIdOf } from '../../model/rating-recovery.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { RatingDecision } from '../../storage/port/feeds.ts'

/** The changes from one observation, without the next poll, which schedule.ts sets. */
export type RatingChanges = Pick<RatingDecision, 'baseline' | 'drop' | 'rise'>

/**
 * The changes from one observed rating (docs/contract.md, Rating drops). The first observation sets the baseline. Every
 * drop, even by a millionth of a star, is one occurrence; the watches decide which hooks get it. A rise may be a
 * recovery. A changed count only updates the baseline. `observed` is null when the app has no ratings, which changes nothing.
 */
export function detectRating(
  store: Store,
  appId: string,
  observed: Rating | null,
  baseline: Rating | null,
): RatingChanges {
  if (observed === null) return { baseline: null, drop: null, rise: null }
  if (baseline === null) return { baseline: observed, drop: null, rise: null }
  if (observed.micros === baseline.micros) {
    return { baseline: observed.count === baseline.count ? null : observed, drop: null, rise: null }
  }
  const change = { previous: baseline, current: observed }
  if (observed.micros > baseline.micros) {
    const rise = { occurrenceId: recoveryIdOf(store, appId, observed), ...change }
    return { baseline: observed, drop: null, rise }
  }
  const drop = { occurrenceId: transitionIdOf(store, appId, observed), ...change }
  return { baseline: observed, drop, rise: null }
}
