import type { Review } from '../../model/review.ts'
import { afterChange, linkableOf, linkReviews } from '../../model/review-link.ts'
import type { KnownOfficial, OfficialDecision, OfficialReview } from '../../storage/port/review-sources.ts'

/** Dates after the change of source, which clocks of stores may still give to a review from before it. */
const CLOCK_TOLERANCE_MS = 2 * 3_600_000

/**
 * The changes from reviews of an official source. Each review is recorded as seen once, forever. It becomes an occurrence when
 * the account has a watch that could match it, unless the public pages showed it before the change of source: linked by the
 * public id in its id, or by content. The public pages had the time to show what is much older than the change.
 *
 * An id is trusted as a link when a public feed of the same app has seen exactly this id: that is the check.
 */
export function detectOfficial(fetched: readonly OfficialReview[], known: KnownOfficial): OfficialDecision {
  const unique = [...new Map(fetched.map((each) => [each.review.fingerprint, each])).values()]
  const unseen = unique.filter(({ review }) => !known.seen.has(review.fingerprint))
  const hasPublicId = ({ publicFingerprints }: OfficialReview) =>
    publicFingerprints.some((fingerprint) => known.publicSeen.has(fingerprint))
  const byId = new Set(unseen.filter(hasPublicId).map(({ review }) => review.fingerprint))
  const publicUntilMs = lastPublicMs(known)
  const linkedPublic = new Set(unseen.flatMap(({ publicFingerprints }) => publicFingerprints))
  const links = linkReviews(
    unseen
      .filter(({ review }) => !byId.has(review.fingerprint) && review.shownAt.getTime() <= publicUntilMs)
      .map(({ review }) => linkableOf(review)),
    known.publicReviews.filter(({ key }) => !linkedPublic.has(key)),
  )

  const seen: OfficialReview[] = []
  const toStore: Review[] = []
  const occurrences: Review[] = []
  for (const each of unique) {
    const { review } = each
    const storedHash = known.contentHashes.get(review.fingerprint)
    if (known.seen.has(review.fingerprint)) {
      if (storedHash !== undefined && storedHash !== review.contentHash) toStore.push(review)
      continue
    }
    const byContent = links.get(review.fingerprint)
    const isLinked = byId.has(review.fingerprint) || byContent !== undefined
    seen.push(
      byContent === undefined
        ? each
        : { ...each, publicFingerprints: [...each.publicFingerprints, byContent] },
    )
    // The account still sees the public review.
    if (!isLinked || known.isPublicPolled) toStore.push(review)
    const isNew = afterChange({ at: review.occurredAt }, isLinked, known.publicUntil) === 'new'
    if (isNew && known.forwardFrom !== null && review.occurredAt >= known.forwardFrom) {
      occurrences.push(review)
    }
  }
  return { seen, toStore, occurrences }
}

/**
 * The latest date of a review that the public pages may have shown while the account got them: about the time of the change, or that of the
 * newest public review, which is later when the clock was behind at the change.
 */
function lastPublicMs({ changedAt, publicReviews }: KnownOfficial): number {
  if (changedAt === null) return Number.POSITIVE_INFINITY
  const newestMs = publicReviews.reduce(
    (latest, { at }) => Math.max(latest, at.getTime()),
    changedAt.getTime(),
  )
  return newestMs + CLOCK_TOLERANCE_MS
}
