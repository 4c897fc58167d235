import type { KnownHistory } from '../../storage/port/review-histories.ts'
import type { OfficialDecision, OfficialReview } from '../../storage/port/review-sources.ts'
import { detectOfficial } from './detect-official.ts'

/**
 * The changes from a page of history. A review that polls would deliver as new is left to them, so that an import hides no
 * event. An older copy of a stored review changes nothing: Google's reports have a review as it was in each month.
 */
export function detectHistory(fetched: readonly OfficialReview[], known: KnownHistory): OfficialDecision {
  const { seen, toStore, occurrences } = detectOfficial(fetched, known)
  const leftToPolls = new Set(occurrences.map(({ fingerprint }) => fingerprint))
  const isOlder = (fingerprint: string, shownAt: Date) => {
    const stored = known.shownAt.get(fingerprint)
    return stored !== undefined && shownAt <= stored
  }
  return {
    seen: seen.filter(({ review }) => !leftToPolls.has(review.fingerprint)),
    toStore: toStore.filter(
      ({ fingerprint, shownAt }) => !leftToPolls.has(fingerprint) && !isOlder(fingerprint, shownAt),
    ),
    occurrences: [],
  }
}
