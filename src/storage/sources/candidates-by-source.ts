import { ownerOf } from '../../model/market.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import { afterChange, type LinkableReview, linkableOf, linkReviews } from '../../model/review-link.ts'
import type { SourceState } from '../../model/review-source.ts'
import { seenKeyOf } from '../feeds/seen-key.ts'
import type { Candidate } from '../port/occurrences.ts'
import { dateOrNull } from '../values.ts'
import type { SourceRow } from './source-rows.ts'

/** A row of `review_sources`, as far as fan-out uses it. */
export type SourceOfAccount = Pick<
  SourceRow,
  'id' | 'account_id' | 'store' | 'app_id' | 'public_seq' | 'last_ok_at'
> & {
  readonly state: SourceState
}

/** What fan-out knows about the reviews of sources that accounts left. */
export type LeftSources = {
  /** Whether the source has shown the review with this key. */
  readonly hasShown: (sourceId: number, key: string) => boolean
  /** The newest stored reviews of the source that no public one is linked to. */
  readonly reviews: (sourceId: number) => readonly LinkableReview[]
}

/** A public review that fan-out linked to an official one by content. */
export type NewLink = {
  readonly sourceId: number
  readonly fingerprint: string
  readonly officialFingerprint: string
}

/** Dates after the last good poll, which clocks of stores may still give to a review from before it. */
const CLOCK_TOLERANCE_MS = 2 * 3_600_000

/**
 * The candidates of an occurrence that get reviews from its source: one source for each account and app at a time. After
 * the change to an official source an account gets the public occurrences that were committed before it, and after the
 * change back only reviews that the official source did not show. Adds what it linked to `links`.
 */
export function candidatesBySource(
  occurrence: Occurrence,
  candidates: readonly Candidate[],
  sources: readonly SourceOfAccount[],
  left: LeftSources,
  links: NewLink[],
): readonly Candidate[] {
  if (occurrence.eventType !== 'review.created') return candidates
  const owner = ownerOf(occurrence.market)
  if (owner !== null) return candidates.filter(({ watch }) => watch.accountId === owner)
  const ofApp = sources.filter(
    ({ store, app_id }) => store === occurrence.store && app_id === occurrence.appId,
  )
  if (ofApp.length === 0) return candidates
  const gets = new Map(
    ofApp.map((source) => [source.account_id, getsPublic(occurrence, source, left, links)]),
  )
  return candidates.filter(({ watch }) => gets.get(watch.accountId) ?? true)
}

function getsPublic(
  occurrence: Extract<Occurrence, { eventType: 'review.created' }>,
  source: SourceOfAccount,
  left: LeftSources,
  links: NewLink[],
): boolean {
  if (source.state === 'switching') return true
  if (source.state === 'official') return occurrence.seq <= (source.public_seq ?? 0)
  const { review, occurredAt } = occurrence
  if (left.hasShown(source.id, seenKeyOf(review.fingerprint))) return false
  const okUntil = dateOrNull(source.last_ok_at)
  if (okUntil === null) return true
  let isLinked = false
  if (occurredAt.getTime() <= okUntil.getTime() + CLOCK_TOLERANCE_MS) {
    const taken = new Set(links.map(({ officialFingerprint }) => officialFingerprint))
    const official = left.reviews(source.id).filter(({ key }) => !taken.has(key))
    const officialFingerprint = linkReviews([linkableOf(review)], official).get(review.fingerprint)
    isLinked = officialFingerprint !== undefined
    if (officialFingerprint !== undefined) {
      links.push({ sourceId: source.id, fingerprint: review.fingerprint, officialFingerprint })
    }
  }
  return afterChange({ at: occurredAt }, isLinked, okUntil) === 'new'
}
