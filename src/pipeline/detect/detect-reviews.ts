import type { Review } from '../../model/review.ts'
import type { KnownReviews, ReviewsDecision } from '../../storage/port/feeds.ts'

/** What a visit makes of the reviews it fetched; when to come again is decided elsewhere. */
export type ReviewChanges = Pick<ReviewsDecision, 'seen' | 'keep' | 'occurrences'>

/**
 * Specification 3 for reviews. A review is seen once per feed, for ever, whatever any hook's filter says of it. It
 * becomes an occurrence the first time its feed shows it, if it was published since the oldest watch that could want
 * it. A review seen again changes nothing but its text.
 *
 * One that another market of the app has shown before happened there already: it is an occurrence here too, so that
 * hooks of this market hear of it, as long as its text is still held (the hooks it was delivered to get it only once,
 * because the event's id is the same). Without the text it is old news, and only seen.
 */
export function detectReviews(fetched: readonly Review[], known: KnownReviews): ReviewChanges {
  const seen: Review[] = []
  const keep: Review[] = []
  const occurrences: Review[] = []
  const met = new Set<string>()
  for (const review of fetched) {
    const { fingerprint } = review
    // A review that a page showed twice counts once, as it was shown first: pages come newest first.
    if (met.has(fingerprint)) continue
    met.add(fingerprint)

    const heldHash = known.contentHashes.get(fingerprint)
    const unseenHere = !known.inFeed.has(fingerprint)
    const unseenAnywhere = unseenHere && !known.inSiblings.has(fingerprint)
    const edited = heldHash !== undefined && heldHash !== review.contentHash
    if (unseenHere) seen.push(review)
    if (edited || (unseenAnywhere && heldHash === undefined)) keep.push(review)
    if (unseenHere && (unseenAnywhere || heldHash !== undefined) && isForward(review, known.forwardFrom)) {
      occurrences.push(review)
    }
  }
  return { seen, keep, occurrences }
}

function isForward(review: Review, forwardFrom: Date | null): boolean {
  return forwardFrom !== null && review.occurredAt.getTime() >= forwardFrom.getTime()
}
