import type { Review } from '../../../model/review.ts'
import { publicRepliesOf } from '../../feeds/public-replies.ts'
import type { EnrichmentRequest, Poll } from '../../port/feeds.ts'
import { bytesOf, flagOf, hexOf, msOf, msOrNull } from '../../values.ts'
import type { Queries, Transaction } from '../connect.ts'

/** The content hashes of reviews with stored text, by fingerprint. */
export async function contentHashesOf(
  db: Queries,
  fingerprints: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.all<{ fingerprint: Uint8Array; content_hash: Uint8Array }>(
    'select fingerprint, content_hash from reviews where fingerprint = any($1::bytea[])',
    fingerprints.map(bytesOf),
  )
  return new Map(rows.map((row) => [hexOf(row.fingerprint), hexOf(row.content_hash)]))
}

/**
 * Stores reviews and replaces existing ones. A changed text loses its enrichment and is queued for a new one.
 * `storedHashes` are the content hashes before, by fingerprint.
 */
export async function upsertReviews(
  tx: Transaction,
  reviews: readonly Review[],
  storedHashes: ReadonlyMap<string, string>,
  poll: Pick<Poll, 'polledAt'>,
  enrichment: EnrichmentRequest,
): Promise<void> {
  const queuedAt = enrichment.enrich ? msOf(poll.polledAt) : null
  // Differs from sqlite: one statement cannot update a row twice, so only the last copy of a review is used. Rows are
  // locked in the order of their fingerprints, to avoid deadlocks.
  const distinct = inOrder([...new Map(reviews.map((review) => [review.fingerprint, review])).values()])
  await insertReviews(
    tx,
    distinct.filter(({ fingerprint }) => !storedHashes.has(fingerprint)),
    queuedAt,
  )
  const replaced = distinct.filter(({ fingerprint }) => storedHashes.has(fingerprint))
  await replaceReviews(tx, replaced)
  await deleteEnrichments(
    tx,
    replaced.filter(({ fingerprint, contentHash }) => storedHashes.get(fingerprint) !== contentHash),
    queuedAt,
    msOf(poll.polledAt),
  )
}

/**
 * Inserts `review.created` occurrences that do not exist yet. An occurrence waits until `readyAt` only while its
 * enrichment is queued.
 */
export async function insertReviewOccurrences(
  tx: Transaction,
  reviews: readonly Review[],
  poll: Pick<Poll, 'polledAt'>,
  enrichment: EnrichmentRequest,
): Promise<void> {
  if (reviews.length === 0) return
  const polledAt = msOf(poll.polledAt)
  const mayWait = enrichment.enrich && msOf(enrichment.readyAt) > polledAt
  const rows = await tx.all<{ fingerprint: Uint8Array; seq: number; waits: boolean }>(
    `select fingerprint, seq, $2 and enriched_at is null as waits from reviews where fingerprint = any($1::bytea[])`,
    reviews.map(({ fingerprint }) => bytesOf(fingerprint)),
    mayWait,
  )
  const stored = new Map(rows.map((row) => [hexOf(row.fingerprint), row]))
  const withSeqs = inOrder(reviews).map((review) => {
    const row = stored.get(review.fingerprint)
    if (row === undefined) throw new Error('an occurrence has a review without a stored text')
    return { review, seq: row.seq, waits: row.waits }
  })
  const waiting = withSeqs.filter(({ waits }) => waits)
  if (waiting.length > 0) {
    await tx.run(
      'update reviews set enrich_at = 0 where seq = any($1::bigint[]) and enrich_at is distinct from 0',
      waiting.map(({ seq }) => seq),
    )
  }
  await tx.run(
    `insert into occurrences
       (occurrence_id, market, event_type, store, app_id, review_seq, occurred_at, observed_at, ready_at)
     select v.occurrence_id, v.market, 'review.created', v.store, v.app_id, v.review_seq, v.occurred_at,
       v.observed_at, v.ready_at
     from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
       $8::bigint[]) as v (occurrence_id, market, store, app_id, review_seq, occurred_at, observed_at, ready_at)
     on conflict (occurrence_id, market) do nothing`,
    withSeqs.map(({ review }) => bytesOf(review.fingerprint)),
    withSeqs.map(({ review }) => review.market),
    withSeqs.map(({ review }) => review.store),
    withSeqs.map(({ review }) => review.appId),
    withSeqs.map(({ seq }) => seq),
    withSeqs.map(({ review }) => msOf(review.occurredAt)),
    withSeqs.map(({ review }) => msOf(review.observedAt)),
    withSeqs.map(({ waits }) => (waits ? msOf(enrichment.readyAt) : polledAt)),
  )
  tx.notifyWork()
}

/**
 * Stores the answers that public pages show, and removes those that they no longer show. Neither changes the text of a review or
 * creates an occurrence. Differs from sqlite: locks the changed rows in the order of their fingerprints, to avoid deadlocks.
 */
export async function storePublicReplies(tx: Transaction, fetched: readonly Review[]): Promise<void> {
  const replies = [...publicRepliesOf(fetched)]
  if (replies.length === 0) return
  await tx.run(
    `with shown as (
       select * from unnest($1::bytea[], $2::text[], $3::bigint[]) as v (fingerprint, text, at)),
     changed as (
       select r.seq, v.text, v.at from reviews r join shown v on v.fingerprint = r.fingerprint
       where r.reply_text is distinct from v.text or r.reply_at is distinct from v.at
       order by r.fingerprint for no key update of r)
     update reviews r set reply_text = c.text, reply_at = c.at from changed c where r.seq = c.seq`,
    replies.map(([fingerprint]) => bytesOf(fingerprint)),
    replies.map(([, reply]) => reply?.text ?? null),
    replies.map(([, reply]) => msOrNull(reply?.at ?? null)),
  )
}

async function insertReviews(
  tx: Transaction,
  reviews: readonly Review[],
  queuedAt: number | null,
): Promise<void> {
  if (reviews.length === 0) return
  // Differs from sqlite: another node may store the same review from another market at the same time. Either row is
  // correct.
  await tx.run(
    `insert into reviews (fingerprint, store, app_id, review_id, market, rating, title, body, author, app_version,
       shown_at, edited, content_hash, occurred_at, observed_at, enrich_at)
     select v.*, $16::bigint from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[],
       $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::smallint[], $13::bytea[], $14::bigint[],
       $15::bigint[]) as v
     on conflict (fingerprint) do nothing`,
    reviews.map(({ fingerprint }) => bytesOf(fingerprint)),
    reviews.map(({ store }) => store),
    reviews.map(({ appId }) => appId),
    reviews.map(({ reviewId }) => reviewId),
    reviews.map(({ market }) => market),
    reviews.map(({ rating }) => rating),
    reviews.map(({ title }) => title),
    reviews.map(({ body }) => body),
    reviews.map(({ author }) => author),
    reviews.map(({ appVersion }) => appVersion),
    reviews.map(({ shownAt }) => msOf(shownAt)),
    reviews.map(({ edited }) => (edited === null ? null : flagOf(edited))),
    reviews.map(({ contentHash }) => bytesOf(contentHash)),
    reviews.map(({ occurredAt }) => msOf(occurredAt)),
    reviews.map(({ observedAt }) => msOf(observedAt)),
    queuedAt,
  )
  if (queuedAt !== null) tx.notifyWork()
}

async function replaceReviews(tx: Transaction, reviews: readonly Review[]): Promise<void> {
  if (reviews.length === 0) return
  await tx.run(
    `update reviews r set rating = v.rating, title = v.title, body = v.body, app_version = v.app_version,
       shown_at = v.shown_at, edited = coalesce(v.edited, r.edited), content_hash = v.content_hash
     from unnest($1::bytea[], $2::smallint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::smallint[],
       $8::bytea[]) as v (fingerprint, rating, title, body, app_version, shown_at, edited, content_hash)
     where r.fingerprint = v.fingerprint`,
    reviews.map(({ fingerprint }) => bytesOf(fingerprint)),
    reviews.map(({ rating }) => rating),
    reviews.map(({ title }) => title),
    reviews.map(({ body }) => body),
    reviews.map(({ appVersion }) => appVersion),
    reviews.map(({ shownAt }) => msOf(shownAt)),
    reviews.map(({ edited }) => (edited === null ? null : flagOf(edited))),
    reviews.map(({ contentHash }) => bytesOf(contentHash)),
  )
}

async function deleteEnrichments(
  tx: Transaction,
  reviews: readonly Review[],
  queuedAt: number | null,
  polledAt: number,
): Promise<void> {
  if (reviews.length === 0) return
  // Without the lease, a running enrichment of the old text is not stored.
  await tx.run(
    `update reviews r set
       enrich_at = case when $2::bigint is not null and exists (
         select 1 from occurrences o where o.review_seq = r.seq and o.ready_at > $3) then 0 else $2 end,
       enrich_lease = null, enrich_leased_until = null, enrichment = null, engine = null, engine_version = null,
       enriched_at = null, enrich_tries = 0, enrich_failure = null, language = null, sentiment = null, severity = null, themes_mask = null,
       is_bug_report = null, is_feature_request = null, feature_slug = null
     where fingerprint = any($1::bytea[])`,
    reviews.map(({ fingerprint }) => bytesOf(fingerprint)),
    queuedAt,
    polledAt,
  )
  if (queuedAt !== null) tx.notifyWork()
}

function inOrder(reviews: readonly Review[]): Review[] {
  return reviews.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
}
