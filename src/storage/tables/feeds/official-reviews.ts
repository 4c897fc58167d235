import { publicMarketOf } from '../../../model/market.ts'
import type { Review } from '../../../model/review.ts'
import { linkableOf } from '../../../model/review-link.ts'
import { columns, integer, nullable, text } from '../../columns.ts'
import type { KnownOfficial, OfficialReview } from '../../port/review-sources.ts'
import { dateOrNull, seenKeyOf } from '../../values.ts'
import { all, get, sql, type Work } from '../../work.ts'
import { insertImports } from '../reports/imports.ts'
import { REVIEW_COLUMNS, type ReviewRow, reviewOf } from './review-rows.ts'
import { contentHashesOf } from './reviews.ts'
import { seenInApp } from './seen.ts'
import type { StoredSource } from './source-columns.ts'

const SEEN = columns({ sourceId: integer, reviewKey: text, reviewId: nullable(text), publicSeq: integer })

/** Stores the keys of these reviews, and those of the public reviews with their ids. */
export function recordOfficial(
  sourceId: number,
  reviews: readonly OfficialReview[],
  publicSeq: number,
): Work<number> {
  const of = (fingerprint: string, reviewId: string | null) => ({
    ...{ sourceId, reviewKey: seenKeyOf(fingerprint), reviewId, publicSeq },
  })
  const keys = reviews.flatMap(({ review, publicFingerprints }) => [
    of(review.fingerprint, null),
    ...publicFingerprints.map((fingerprint) => of(fingerprint, review.reviewId)),
  ])
  return SEEN.insertAll('official_seen', keys, 'on conflict do nothing')
}

/** The markets in which the account has reviews of its own. */
export function recordMarkets(
  { accountId }: StoredSource,
  stored: readonly Review[],
  at: Date,
): Work<number> {
  const ofPublic = stored.map((review) => ({ ...review, market: publicMarketOf(review.market) }))
  return insertImports(accountId, ofPublic, at, 'nothing')
}

/** Public reviews that a change to an official source compares with. Older ones are linked by id only. */
const PUBLIC_REVIEWS_MAX = 2_000

/** `publicSeq` before the change to the official source: no occurrence is later. */
const NO_PUBLIC_SEQ = Number.MAX_SAFE_INTEGER

/**
 * Conditions on a public review with this fingerprint: the public pages showed it only after the account changed to an official
 * source, for other accounts. `publicSeq`: the last occurrence that the account got from them.
 */
function shownOnlySince(fingerprint: string, publicSeq: string): string {
  const some = (compared: string) =>
    `exists (select 1 from occurrences o where o.occurrence_id = ${fingerprint} and o.market not like '%~%'
      and o.seq ${compared} cast(${publicSeq} as bigint))`
  return `(${some('>')} and not ${some('<=')})`
}

const PUBLIC_REVIEWS = `select ${REVIEW_COLUMNS} from reviews r
  where r.store = ?1 and r.app_id = ?2 and r.market not like '%~%' and not ${shownOnlySince('r.fingerprint', '?3')}
  order by r.occurred_at desc limit ${PUBLIC_REVIEWS_MAX}`

const FORWARD_FROM = `select min(w.created_at) as at from watches w join hooks h on h.id = w.hook_id
  where w.account_id = ?1 and w.store = ?2 and w.app_id = ?3 and w.event_type = 'review.created'
    and h.status <> 'gone' and h.deleted_at is null`

/** Whether another account still needs the public reviews of the app. */
const PUBLIC_FEED = `select 1 from feeds f join feed_accounts a on a.feed_id = f.id
  where f.store = ?1 and f.app_id = ?2 and f.kind = 'reviews' and (a.account_id <> ?3 or exists (
    select 1 from watches w where w.account_id = ?3 and w.store = ?1 and w.app_id = ?2
      and w.event_type = 'reviews.spiked')) limit 1`

export function* knownOfficial(
  source: StoredSource,
  fetched: readonly OfficialReview[],
): Work<Omit<KnownOfficial, 'publicUntil'>> {
  const { id, accountId, store, appId, state } = source
  const fingerprints = fetched.map(({ review }) => review.fingerprint)
  const publicFingerprints = fetched.flatMap((each) => each.publicFingerprints)
  const publicSeq = state === 'switching' ? NO_PUBLIC_SEQ : (source.publicSeq ?? 0)
  const forwardFrom = yield* get<{ at: number | null }>(FORWARD_FROM, accountId, store, appId)
  const publicRows = yield* all<ReviewRow>(PUBLIC_REVIEWS, store, appId, publicSeq)
  const publicReviews = publicRows.map((row) => linkableOf(reviewOf(row)))
  const linked = yield* seenBy(
    id,
    publicReviews.map(({ key }) => key),
  )
  return {
    seen: yield* seenBy(id, fingerprints),
    contentHashes: yield* contentHashesOf(fingerprints),
    forwardFrom: dateOrNull(forwardFrom?.at ?? null),
    publicSeen: yield* shownBefore(yield* seenInApp({ store, appId }, publicFingerprints), publicSeq),
    // One to one: another review is linked to the others already.
    publicReviews: publicReviews.filter(({ key }) => !linked.has(key)),
    isPublicPolled: (yield* get(PUBLIC_FEED, store, appId, accountId)) !== undefined,
    changedAt: state === 'switching' ? null : source.changedAt,
  }
}

const SHOWN_LATER = {
  sqlite: `select value as fingerprint from json_each(?1) where ${shownOnlySince('unhex(value)', '?2')}`,
  postgres: `select value as fingerprint from unnest(?1::text[]) as v (value)
    where ${shownOnlySince("decode(value, 'hex')", '?2')}`,
}

/** Without those that the public pages showed only to other accounts, after the change. */
function* shownBefore(fingerprints: ReadonlySet<string>, publicSeq: number): Work<ReadonlySet<string>> {
  const later = yield* all<{ fingerprint: string }>(SHOWN_LATER, [...fingerprints], publicSeq)
  return fingerprints.difference(new Set(later.map(({ fingerprint }) => fingerprint)))
}

const SEEN_BY = sql(
  (d) => `select review_key from official_seen where source_id = ?1 and review_key ${d.among('?2', 'text')}`,
)

/** The `fingerprints` that the source has shown. */
export function* seenBy(sourceId: number, fingerprints: readonly string[]): Work<Set<string>> {
  const rows = yield* all<{ review_key: string }>(SEEN_BY, sourceId, fingerprints.map(seenKeyOf))
  const keys = new Set(rows.map(({ review_key }) => review_key))
  return new Set(fingerprints.filter((fingerprint) => keys.has(seenKeyOf(fingerprint))))
}
