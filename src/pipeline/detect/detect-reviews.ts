import type { Review } from '../../model/review.ts'
import { NEGATIVE_STARS_MAX, spikeIdOf } from '../../model/review-spike.ts'
import type { KnownReviews, ReviewsDecision } from '../../storage/port/feeds.ts'

/** The changes from one poll, without the next poll, which schedule.ts sets. */
export type ReviewChanges = Pick<ReviewsDecision, 'seen' | 'toStore' | 'occurrences' | 'negatives'>

/**
 * The changes from fetched reviews (docs/contract.md, Identity). A feed records each review as seen once, forever,
 * whatever the filters of hooks. A review becomes an occurrence when its feed shows it for the first time, if it was
 * published after the oldest watch that could match it. Later polls only update its stored text.
 *
 * A review that another market of the app showed before is an occurrence here too, for the hooks of this market, while
 * its text is stored. A hook gets it once, because the event id is the same. Without a stored text it is only recorded
 * as seen.
 */
export function detectReviews(fetched: readonly Review[], known: KnownReviews): ReviewChanges {
  const seen: Review[] = []
  const toStore: Review[] = []
  const occurrences: Review[] = []
  const done = new Set<string>()
  for (const review of fetched) {
    const { fingerprint } = review
    // The first copy of a duplicate counts: pages are newest first.
    if (done.has(fingerprint)) continue
    done.add(fingerprint)

    const storedHash = known.contentHashes.get(fingerprint)
    const unseenHere = !known.inFeed.has(fingerprint)
    const unseenAnywhere = unseenHere && !known.inSiblings.has(fingerprint)
    const edited = storedHash !== undefined && storedHash !== review.contentHash
    if (unseenHere) seen.push(review)
    if (edited || (unseenAnywhere && storedHash === undefined)) toStore.push(review)
    if (unseenHere && (unseenAnywhere || storedHash !== undefined) && isForward(review, known.forwardFrom)) {
      occurrences.push(review)
    }
  }
  return { seen, toStore, occurrences, negatives: negativesOf(seen) }
}

/** The new negative reviews of the feed, which may be part of a spike. */
function negativesOf(seen: readonly Review[]): ReviewChanges['negatives'] {
  const [newest] = seen
    .filter(({ rating }) => rating <= NEGATIVE_STARS_MAX)
    .sort((a, b) => b.occurredAt.getTime() - a.occurredAt.getTime())
  if (newest === undefined) return null
  const { store, appId, market, fingerprint, occurredAt } = newest
  return { occurrenceId: spikeIdOf(store, appId, market, fingerprint), newestAt: occurredAt }
}

function isForward(review: Review, forwardFrom: Date | null): boolean {
  return forwardFrom !== null && review.occurredAt.getTime() >= forwardFrom.getTime()
}
