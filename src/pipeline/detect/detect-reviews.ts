import type { Review } from '../../model/review.ts'
import type { KnownReviews, ReviewsDecision } from '../../storage/port/feeds.ts'

/** The changes of one poll; schedule.ts decides on the next poll. */
export type ReviewChanges = Pick<ReviewsDecision, 'seen' | 'keep' | 'occurrences'>

/**
 * The changes of reviews (docs/contract.md, Identity). A review is seen once per feed, forever, whatever the filters of hooks. It becomes an
 * occurrence the first time its feed shows it, if it was published after the oldest watch that could match it. A review
 * seen again changes only its stored text.
 *
 * A review that another market of the app showed before is an occurrence here too, for the hooks of this market, as long
 * as its text is stored. A hook gets it once, because the event id is the same. Without the text it is only seen.
 */
export function detectReviews(fetched: readonly Review[], known: KnownReviews): ReviewChanges {
  const seen: Review[] = []
  const keep: Review[] = []
  const occurrences: Review[] = []
  const done = new Set<string>()
  for (const review of fetched) {
    const { fingerprint } = review
    // A review shown twice counts once, in its first form: pages come newest first.
    if (done.has(fingerprint)) continue
    done.add(fingerprint)

    const storedHash = known.contentHashes.get(fingerprint)
    const unseenHere = !known.inFeed.has(fingerprint)
    const unseenAnywhere = unseenHere && !known.inSiblings.has(fingerprint)
    const edited = storedHash !== undefined && storedHash !== review.contentHash
    if (unseenHere) seen.push(review)
    if (edited || (unseenAnywhere && storedHash === undefined)) keep.push(review)
    if (unseenHere && (unseenAnywhere || storedHash !== undefined) && isForward(review, known.forwardFrom)) {
      occurrences.push(review)
    }
  }
  return { seen, keep, occurrences }
}

function isForward(review: Review, forwardFrom: Date | null): boolean {
  return forwardFrom !== null && review.occurredAt.getTime() >= forwardFrom.getTime()
}
