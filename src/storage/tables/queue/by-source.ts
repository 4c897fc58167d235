import { ownerOf, privateMarketOf } from '../../../model/market.ts'
import type { Occurrence } from '../../../model/occurrence.ts'
import {
  afterChange,
  coveredUntilOf,
  type LinkableReview,
  linkableOf,
  linkReviews,
} from '../../../model/review-link.ts'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import type { Candidate } from '../../port/occurrences.ts'
import { seenKeyOf } from '../../values.ts'
import { all, runRows, sql, type Work } from '../../work.ts'
import { REVIEW_COLUMNS, type ReviewRow, reviewOf } from '../feeds/review-rows.ts'
import { clockAheadMs, consumedKeyOf, SOURCE, type StoredSource } from '../feeds/source-columns.ts'

type Created = Extract<Occurrence, { eventType: 'review.created' }>
type OfficialLinkable = { readonly review: LinkableReview; readonly publicSeq: number }

/**
 * What fan-out knows about the reviews of official sources that accounts left. `publicSeq`: that of the source when it first showed one.
 */
type LeftSources = {
  /** The `publicSeq` of the review with this key; null when the source has not shown it. */
  readonly shownAt: (sourceId: number, key: string) => number | null
  /** The newest stored reviews of the source that no public one is linked to. */
  readonly reviews: ReadonlyMap<number, readonly OfficialLinkable[]>
  /** The newest stored public reviews of the app of the source. */
  readonly publicReviews: ReadonlyMap<number, readonly LinkableReview[]>
  /** How far the clock is ahead of its reference; negative if it is behind. */
  readonly aheadMs: number
}

/** A public review that fan-out linked to an official one by content. */
type NewLink = {
  readonly sourceId: number
  readonly fingerprint: string
  readonly officialFingerprint: string
}

/** Dates after the last good poll, which clocks of stores may still give to a review from before it. */
const CLOCK_TOLERANCE_MS = 2 * 3_600_000

/** Reviews of a left source, and public ones, that are compared: the newest. */
const LINKABLE_MAX = 500

/**
 * The filter of candidates by source for one commit of fan-out, and the links that it made. Locks the sources, so that no change of source
 * commits in between.
 */
export function* bySource(occurrences: readonly Occurrence[]): Work<{
  readonly filter: (occurrence: Occurrence, candidates: readonly Candidate[]) => readonly Candidate[]
  readonly store: () => Work<number>
}> {
  const ofReviews = occurrences.filter((occurrence) => occurrence.eventType === 'review.created')
  const apps = new Map(ofReviews.map(({ store, appId }) => [`${store} ${appId}`, { store, app_id: appId }]))
  const sources = apps.size === 0 ? [] : yield* SOURCE.all(SOURCES_OF, JSON.stringify([...apps.values()]))
  const left = yield* leftSources(ofReviews, sources)
  const links: NewLink[] = []
  return {
    filter: (occurrence, candidates) => candidatesBySource(occurrence, candidates, sources, left, links),
    store: () =>
      runRows(
        STORE_LINKS,
        links.flatMap(({ sourceId, fingerprint, officialFingerprint }) => [
          [sourceId, seenKeyOf(fingerprint)],
          [sourceId, consumedKeyOf(officialFingerprint)],
        ]),
      ),
  }
}

const SOURCES_OF = sql(
  (d) => `from review_sources s where (s.store, s.app_id) in (
      select store, app_id from ${d.rows('?1', 'app', { store: 'text', app_id: 'text' })})
    order by s.id ${d.forShare}`,
)

const STORE_LINKS = {
  sqlite: 'insert into official_seen (source_id, review_key) values (?1, ?2) on conflict do nothing',
  postgres: `insert into official_seen (source_id, review_key) select * from unnest(?1::integer[], ?2::text[])
    on conflict do nothing`,
}

const SHOWN = sql(
  (d) => `select source_id, review_key, public_seq from official_seen
    where source_id ${d.among('?1', 'integer')} and review_key ${d.among('?2', 'text')}`,
)

const NEWEST = (market: string) => `select ${REVIEW_COLUMNS} from reviews r
  where r.store = ?1 and r.app_id = ?2 and r.market ${market} order by r.occurred_at desc limit ${LINKABLE_MAX}`

function* leftSources(occurrences: readonly Created[], sources: readonly StoredSource[]): Work<LeftSources> {
  const left = sources.filter((source) =>
    occurrences.some(
      ({ store, appId, seq, market }) =>
        store === source.store &&
        appId === source.appId &&
        ownerOf(market) === null &&
        isAfterLeaving(seq, source),
    ),
  )
  const shown = new Map<string, number>()
  const reviews = new Map<number, readonly OfficialLinkable[]>()
  const publicReviews = new Map<number, readonly LinkableReview[]>()
  const shownAt = (sourceId: number, key: string) => shown.get(`${sourceId} ${key}`) ?? null
  if (left.length === 0) return { shownAt, reviews, publicReviews, aheadMs: 0 }
  const ids = left.map(({ id }) => id)
  function* readShown(keys: readonly string[]): Work<void> {
    type Row = { source_id: number; review_key: string; public_seq: number }
    for (const row of yield* all<Row>(SHOWN, ids, keys))
      shown.set(`${row.source_id} ${row.review_key}`, row.public_seq)
  }
  yield* readShown(occurrences.map(({ occurrenceId }) => seenKeyOf(occurrenceId)))
  for (const { id, accountId, store, appId } of left) {
    const ofAccount = yield* all<ReviewRow>(NEWEST('like ?3'), store, appId, privateMarketOf('%', accountId))
    const own = ofAccount
      .map(reviewOf)
      .filter(
        ({ reviewId, fingerprint }) =>
          fingerprint === officialFingerprintOf(accountId, store, appId, reviewId),
      )
    const ofPublic = yield* all<ReviewRow>(NEWEST("not like '%~%'"), store, appId)
    publicReviews.set(
      id,
      ofPublic.map((row) => linkableOf(reviewOf(row))),
    )
    yield* readShown(own.flatMap(({ fingerprint }) => [consumedKeyOf(fingerprint), seenKeyOf(fingerprint)]))
    reviews.set(
      id,
      own
        .filter(({ fingerprint }) => shownAt(id, consumedKeyOf(fingerprint)) === null)
        .map((review) => ({
          review: linkableOf(review),
          publicSeq: shownAt(id, seenKeyOf(review.fingerprint)) ?? 0,
        })),
    )
  }
  return { shownAt, reviews, publicReviews, aheadMs: yield* clockAheadMs() }
}

/**
 * The candidates of an occurrence that get reviews from its source: one source for each account and app at a time. After
 * the change to an official source an account gets the public occurrences that were committed before it, and after the
 * change back only reviews that the official source did not show. Adds what it linked to `links`.
 */
function candidatesBySource(
  occurrence: Occurrence,
  candidates: readonly Candidate[],
  sources: readonly StoredSource[],
  left: LeftSources,
  links: NewLink[],
): readonly Candidate[] {
  if (occurrence.eventType !== 'review.created' || candidates.length === 0) return candidates
  const owner = ownerOf(occurrence.market)
  if (owner !== null) return candidates.filter(({ watch }) => watch.accountId === owner)
  const ofApp = sources.filter(({ store, appId }) => store === occurrence.store && appId === occurrence.appId)
  if (ofApp.length === 0) return candidates
  const gets = new Map(ofApp.map((source) => [source.accountId, getsPublic(occurrence, source, left, links)]))
  return candidates.filter(({ watch }) => gets.get(watch.accountId) ?? true)
}

/**
 * Whether an occurrence of the public pages is from a time after the account left an official source, so that it may repeat a
 * review of that source, also if the account has changed again since.
 */
function isAfterLeaving(seq: number, { state, publicSeq, firstPublicSeq }: StoredSource): boolean {
  const isPublic = state !== 'official' || seq <= (publicSeq ?? 0)
  return isPublic && firstPublicSeq !== null && seq > firstPublicSeq
}

function getsPublic(
  occurrence: Created,
  source: StoredSource,
  left: LeftSources,
  newLinks: NewLink[],
): boolean {
  const { review, occurredAt, seq } = occurrence
  if (source.state === 'official' && seq > (source.publicSeq ?? 0)) return false
  if (!isAfterLeaving(seq, source)) return true
  // What the source showed since a later change was compared with this occurrence then.
  const shownAt = left.shownAt(source.id, seenKeyOf(review.fingerprint))
  if (shownAt !== null && shownAt < seq) return false
  const { id, lastOkAt } = source
  if (lastOkAt === null) return true
  let isLinked = false
  const before = (left.reviews.get(id) ?? []).filter(({ publicSeq }) => publicSeq < seq)
  const newestAt =
    before.length === 0 ? null : new Date(Math.max(...before.map(({ review: { at } }) => at.getTime())))
  // The clock of a poll may have been behind: the source was also read after the dates that it showed.
  const readMs = Math.max(lastOkAt.getTime(), newestAt?.getTime() ?? 0)
  if (occurredAt.getTime() <= readMs + CLOCK_TOLERANCE_MS) {
    const taken = new Set(newLinks.map(({ officialFingerprint }) => officialFingerprint))
    const official = before.map((one) => one.review).filter(({ key }) => !taken.has(key))
    // One to one: an official review may be that of another public one with the same words.
    const others = (left.publicReviews.get(id) ?? []).filter(({ key }) => key !== review.fingerprint)
    const links = linkReviews([linkableOf(review), ...others], official)
    const officialFingerprint = links.get(review.fingerprint)
    isLinked = officialFingerprint !== undefined
    if (officialFingerprint !== undefined) {
      newLinks.push({ sourceId: id, fingerprint: review.fingerprint, officialFingerprint })
    }
  }
  const coveredUntil = coveredUntilOf(lastOkAt, left.aheadMs, newestAt)
  return afterChange({ at: occurredAt }, isLinked, coveredUntil) === 'new'
}
