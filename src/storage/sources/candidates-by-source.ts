import { ownerOf } from '../../model/market.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import {
  afterChange,
  coveredUntilOf,
  type LinkableReview,
  linkableOf,
  linkReviews,
} from '../../model/review-link.ts'
import type { SourceState } from '../../model/review-source.ts'
import type { Candidate } from '../port/occurrences.ts'
import { dateOrNull, seenKeyOf } from '../values.ts'
import type { SourceRow } from './source-rows.ts'

/** A row of `review_sources`, as far as fan-out uses it. */
export type SourceOfAccount = Pick<
  SourceRow,
  'id' | 'account_id' | 'store' | 'app_id' | 'public_seq' | 'first_public_seq' | 'last_ok_at'
> & {
  readonly state: SourceState
}

/**
 * What fan-out knows about the reviews of official sources. `publicSeq` of a review: that of its source when the source first showed it.
 */
export type LeftSources = {
  /** The `publicSeq` of the review with this key; null when the source has not shown it. */
  readonly shownAt: (sourceId: number, key: string) => number | null
  /** The newest stored reviews of the source that no public one is linked to. */
  readonly reviews: (sourceId: number) => readonly OfficialLinkable[]
  /** The newest stored public reviews of the app of the source. */
  readonly publicReviews: (sourceId: number) => readonly LinkableReview[]
  /** How far the clock is ahead of its reference; negative if it is behind. */
  readonly aheadMs: () => number
}

export type OfficialLinkable = { readonly review: LinkableReview; readonly publicSeq: number }

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

/**
 * Whether an occurrence of the public pages is from a time after the account left an official source, so that it may repeat a
 * review of that source, also if the account has changed again since.
 */
export function isAfterLeaving(
  seq: number,
  { state, public_seq, first_public_seq }: Pick<SourceOfAccount, 'state' | 'public_seq' | 'first_public_seq'>,
): boolean {
  const isPublic = state !== 'official' || seq <= (public_seq ?? 0)
  return isPublic && first_public_seq !== null && seq > first_public_seq
}

function getsPublic(
  occurrence: Extract<Occurrence, { eventType: 'review.created' }>,
  source: SourceOfAccount,
  left: LeftSources,
  newLinks: NewLink[],
): boolean {
  const { review, occurredAt, seq } = occurrence
  if (source.state === 'official' && seq > (source.public_seq ?? 0)) return false
  if (!isAfterLeaving(seq, source)) return true
  // What the source showed since a later change was compared with this occurrence then.
  const shownAt = left.shownAt(source.id, seenKeyOf(review.fingerprint))
  if (shownAt !== null && shownAt < seq) return false
  const lastOkAt = dateOrNull(source.last_ok_at)
  if (lastOkAt === null) return true
  let isLinked = false
  const before = left.reviews(source.id).filter(({ publicSeq }) => publicSeq < seq)
  const newestAt =
    before.length === 0 ? null : new Date(Math.max(...before.map(({ review: { at } }) => at.getTime())))
  // The clock of a poll may have been behind: the source was also read after the dates that it showed.
  const readMs = Math.max(lastOkAt.getTime(), newestAt?.getTime() ?? 0)
  if (occurredAt.getTime() <= readMs + CLOCK_TOLERANCE_MS) {
    const taken = new Set(newLinks.map(({ officialFingerprint }) => officialFingerprint))
    const official = before.map((one) => one.review).filter(({ key }) => !taken.has(key))
    // One to one: an official review may be that of another public one with the same words.
    const others = left.publicReviews(source.id).filter(({ key }) => key !== review.fingerprint)
    const links = linkReviews([linkableOf(review), ...others], official)
    const officialFingerprint = links.get(review.fingerprint)
    isLinked = officialFingerprint !== undefined
    if (officialFingerprint !== undefined) {
      newLinks.push({ sourceId: source.id, fingerprint: review.fingerprint, officialFingerprint })
    }
  }
  const coveredUntil = coveredUntilOf(lastOkAt, left.aheadMs(), newestAt)
  return afterChange({ at: occurredAt }, isLinked, coveredUntil) === 'new'
}
