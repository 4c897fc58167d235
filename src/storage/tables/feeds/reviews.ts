import type { Review } from '../../../model/review.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, flag, instant, integer, nullable, sha256, text, word } from '../../columns.ts'
import type { EnrichmentRequest, Poll } from '../../port/feeds.ts'
import { bytesOf, flagOf, hexOf, msOf, msOrNull } from '../../values.ts'
import { all, notifyWork, run, runRows, sql, type Work } from '../../work.ts'
import { withoutErased } from './erasures.ts'

const HASHES = columns({ fingerprint: sha256, contentHash: sha256 })
const HASHES_AMONG = sql((d) => `from reviews where fingerprint ${d.among('?1', 'bytea')}`)

/** The content hashes of reviews with stored text, by fingerprint. */
export function* contentHashesOf(fingerprints: readonly string[]): Work<Map<string, string>> {
  const rows = yield* HASHES.all(HASHES_AMONG, fingerprints.map(bytesOf))
  return new Map(rows.map(({ fingerprint, contentHash }) => [fingerprint, contentHash]))
}

const NEW_REVIEW = columns({
  fingerprint: sha256,
  store: word<Store>(),
  appId: text,
  reviewId: text,
  market: text,
  rating: integer,
  title: nullable(text),
  body: text,
  author: nullable(text),
  appVersion: nullable(text),
  shownAt: instant,
  edited: nullable(flag),
  contentHash: sha256,
  occurredAt: instant,
  observedAt: instant,
  enrichAt: nullable(instant),
})

/**
 * Stores reviews, except erased ones, and replaces existing ones; of two copies the last counts. A changed text loses its enrichment and is
 * queued for a new one. `storedHashes` are the content hashes before, by fingerprint. Returns those that are not erased.
 */
export function* upsertReviews(
  reviews: readonly Review[],
  storedHashes: ReadonlyMap<string, string>,
  { polledAt }: Pick<Poll, 'polledAt'>,
  { enrich }: EnrichmentRequest,
): Work<readonly Review[]> {
  const enrichAt = enrich ? polledAt : null
  const kept = yield* withoutErased(reviews)
  const distinct = [...new Map(kept.map((review) => [review.fingerprint, review])).values()]
  const added = distinct.filter(({ fingerprint }) => !storedHashes.has(fingerprint))
  const replaced = distinct
    .filter(({ fingerprint }) => storedHashes.has(fingerprint))
    .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
  yield* NEW_REVIEW.insertAll(
    'reviews',
    added.map((review) => ({ ...review, enrichAt })),
    IN_ORDER,
  )
  yield* runRows(
    REPLACE,
    replaced.map((review) => [
      bytesOf(review.fingerprint),
      review.rating,
      review.title,
      review.body,
      review.appVersion,
      msOf(review.shownAt),
      review.edited === null ? null : flagOf(review.edited),
      bytesOf(review.contentHash),
    ]),
  )
  const changed = replaced.filter(
    ({ fingerprint, contentHash }) => storedHashes.get(fingerprint) !== contentHash,
  )
  if (changed.length > 0)
    yield* run(
      DELETE_ENRICHMENTS,
      changed.map(({ fingerprint }) => bytesOf(fingerprint)),
      msOrNull(enrichAt),
      msOf(polledAt),
    )
  if (enrich && added.length + changed.length > 0) yield* notifyWork()
  return kept
}

/**
 * PostgreSQL locks rows in the order of their fingerprints, to avoid deadlocks. Another node may store the same review from another market.
 */
const IN_ORDER = {
  sqlite: '',
  postgres: 'order by 1 on conflict (fingerprint) do nothing',
}

const REPLACE = {
  sqlite: `update reviews set rating = ?2, title = ?3, body = ?4, app_version = ?5, shown_at = ?6,
      edited = coalesce(?7, edited), content_hash = ?8
    where fingerprint = ?1`,
  postgres: `update reviews r set rating = v.rating, title = v.title, body = v.body, app_version = v.app_version,
      shown_at = v.shown_at, edited = coalesce(v.edited, r.edited), content_hash = v.content_hash
    from unnest(?1::bytea[], ?2::smallint[], ?3::text[], ?4::text[], ?5::text[], ?6::bigint[], ?7::smallint[], ?8::bytea[])
      as v (fingerprint, rating, title, body, app_version, shown_at, edited, content_hash)
    where r.fingerprint = v.fingerprint`,
}

/** Without the lease, a running enrichment of the old text is not stored. */
const DELETE_ENRICHMENTS = sql(
  (d) => `update reviews set
      enrich_at = case when cast(?2 as bigint) is not null and exists (
        select 1 from occurrences o where o.review_seq = reviews.seq and o.ready_at > ?3) then 0 else ?2 end,
      enrich_lease = null, enrich_leased_until = null, enrichment = null, engine = null, engine_version = null,
      enriched_at = null, enrich_tries = 0, enrich_failure = null, language = null, sentiment = null, severity = null,
      themes_mask = null, is_bug_report = null, is_feature_request = null, feature_slug = null
    where fingerprint ${d.among('?1', 'bytea')}`,
)

const STORED = sql(
  (d) => `select fingerprint, seq, enriched_at from reviews where fingerprint ${d.among('?1', 'bytea')}`,
)

const AWAIT = sql(
  (d) =>
    `update reviews set enrich_at = 0 where seq ${d.among('?1', 'bigint')} and enrich_at is distinct from 0`,
)

/**
 * SQLite also stores `no_events_until` of an occurrence that another market had. Without the row of that market it is 0, because retention
 * may have deleted the row before its events.
 */
const INSERT_OCCURRENCES = {
  sqlite: `insert into occurrences
      (occurrence_id, market, event_type, store, app_id, review_seq, occurred_at, observed_at, ready_at, no_events_until, unseen_at)
    values (?1, ?2, 'review.created', ?3, ?4, ?5, ?6, ?7, ?8, iif(?9, (
      select case count(*) when 0 then 0 else coalesce(min(no_events_until), (select max(seq) from events), 0) end
      from occurrences where occurrence_id = ?1), null), ?10)
    on conflict (occurrence_id, market) do nothing`,
  postgres: `insert into occurrences
      (occurrence_id, market, event_type, store, app_id, review_seq, occurred_at, observed_at, ready_at, unseen_at)
    select v.occurrence_id, v.market, 'review.created', v.store, v.app_id, v.review_seq, v.occurred_at, v.observed_at, v.ready_at,
      v.unseen_at
    from unnest(?1::bytea[], ?2::text[], ?3::text[], ?4::text[], ?5::bigint[], ?6::bigint[], ?7::bigint[], ?8::bigint[], ?9::smallint[],
        ?10::bigint[])
      as v (occurrence_id, market, store, app_id, review_seq, occurred_at, observed_at, ready_at, shown_elsewhere, unseen_at)
    order by v.occurrence_id on conflict (occurrence_id, market) do nothing`,
}

/**
 * Inserts `review.created` occurrences that do not exist yet, except of erased reviews. An occurrence waits until `readyAt` only while its
 * enrichment is queued. `shownElsewhere` has the fingerprints of those that another market of the app showed before.
 */
export function* insertReviewOccurrences(
  reviews: readonly Review[],
  { polledAt }: Pick<Poll, 'polledAt'>,
  { enrich, readyAt }: EnrichmentRequest,
  unseenAt: Date | null,
  shownElsewhere: ReadonlySet<string> = new Set(),
): Work<void> {
  const kept = yield* withoutErased(reviews)
  if (kept.length === 0) return
  const mayWait = enrich && msOf(readyAt) > msOf(polledAt)
  const rows = yield* all<{ fingerprint: Uint8Array; seq: number; enriched_at: number | null }>(
    STORED,
    kept.map(({ fingerprint }) => bytesOf(fingerprint)),
  )
  const stored = new Map(rows.map((row) => [hexOf(row.fingerprint), row]))
  const withSeqs = kept.map((review) => {
    const row = stored.get(review.fingerprint)
    if (row === undefined) throw new Error('an occurrence has a review without a stored text')
    return { review, seq: row.seq, waits: mayWait && row.enriched_at === null }
  })
  const waiting = withSeqs.filter(({ waits }) => waits).map(({ seq }) => seq)
  if (waiting.length > 0) yield* run(AWAIT, waiting)
  yield* runRows(
    INSERT_OCCURRENCES,
    withSeqs.map(({ review, seq, waits }) => [
      bytesOf(review.fingerprint),
      review.market,
      review.store,
      review.appId,
      seq,
      msOf(review.occurredAt),
      msOf(review.observedAt),
      msOf(waits ? readyAt : polledAt),
      flagOf(shownElsewhere.has(review.fingerprint)),
      msOrNull(unseenAt),
    ]),
  )
  yield* notifyWork()
}

/** PostgreSQL locks the changed rows in the order of their fingerprints, to avoid deadlocks. */
const STORE_REPLIES = {
  sqlite: `update reviews set reply_text = ?2, reply_at = ?3
    where fingerprint = ?1 and (reply_text is not ?2 or reply_at is not ?3)`,
  postgres: `with shown as (
      select * from unnest(?1::bytea[], ?2::text[], ?3::bigint[]) as v (fingerprint, text, at)),
    changed as (
      select r.seq, v.text, v.at from reviews r join shown v on v.fingerprint = r.fingerprint
      where r.reply_text is distinct from v.text or r.reply_at is distinct from v.at
      order by r.fingerprint for no key update of r)
    update reviews r set reply_text = c.text, reply_at = c.at from changed c where r.seq = c.seq`,
}

/**
 * Stores the answers that public pages show, and removes those that they no longer show. Neither changes the text of a review or
 * creates an occurrence. The first copy of a duplicate counts: pages are newest first.
 */
export function storePublicReplies(fetched: readonly Review[]): Work<number> {
  const shown = fetched.filter(({ publicReply }) => publicReply !== undefined).toReversed()
  const replies = new Map(shown.map(({ fingerprint, publicReply }) => [fingerprint, publicReply]))
  return runRows(
    STORE_REPLIES,
    [...replies].map(([fingerprint, reply]) => [
      bytesOf(fingerprint),
      reply?.text ?? null,
      msOrNull(reply?.at ?? null),
    ]),
  )
}
