import type { Review } from '../../../model/review.ts'
import { publicRepliesOf } from '../../feeds/public-replies.ts'
import type { EnrichmentRequest, Poll } from '../../port/feeds.ts'
import { bytesOf, flagOf, hexOf, msOf, msOrNull } from '../../values.ts'
import type { Connection } from '../connect.ts'

/** The content hashes of reviews with stored text, by fingerprint. */
export function contentHashesOf(db: Connection, fingerprints: readonly string[]): Map<string, string> {
  const rows = db.all<{ fingerprint: Uint8Array; content_hash: Uint8Array }>(
    'select fingerprint, content_hash from reviews where fingerprint in (select unhex(value) from json_each(?))',
    JSON.stringify(fingerprints),
  )
  return new Map(rows.map((row) => [hexOf(row.fingerprint), hexOf(row.content_hash)]))
}

/**
 * Stores reviews and replaces existing ones. A changed text loses its enrichment and is queued for a new one.
 * `storedHashes` are the content hashes before, by fingerprint.
 */
export function upsertReviews(
  db: Connection,
  reviews: readonly Review[],
  storedHashes: ReadonlyMap<string, string>,
  poll: Pick<Poll, 'polledAt'>,
  enrichment: EnrichmentRequest,
): void {
  const queuedAt = enrichment.enrich ? msOf(poll.polledAt) : null
  const hashes = new Map(storedHashes)
  for (const review of reviews) {
    const storedHash = hashes.get(review.fingerprint)
    if (storedHash === undefined) insertReview(db, review, queuedAt)
    else replaceReview(db, review, storedHash !== review.contentHash, queuedAt, msOf(poll.polledAt))
    hashes.set(review.fingerprint, review.contentHash)
  }
}

/**
 * `no_events_until` of an occurrence that another market had. Without the row of that market it is 0, because retention may have
 * deleted the row before its events.
 */
const NO_EVENTS_UNTIL = `(select case count(*) when 0 then 0
    else coalesce(min(no_events_until), (select max(seq) from events), 0) end from occurrences where occurrence_id = ?)`

/**
 * Inserts `review.created` occurrences that do not exist yet. An occurrence waits until `readyAt` only while its
 * enrichment is queued. `shownElsewhere` has the fingerprints of those that another market of the app showed before.
 */
export function insertReviewOccurrences(
  db: Connection,
  reviews: readonly Review[],
  poll: Pick<Poll, 'polledAt'>,
  enrichment: EnrichmentRequest,
  shownElsewhere: ReadonlySet<string> = new Set(),
): void {
  const polledAt = msOf(poll.polledAt)
  const mayWait = enrichment.enrich && msOf(enrichment.readyAt) > polledAt
  for (const review of reviews) {
    const stored = db.get<{ seq: number; enrich_at: number | null; enriched_at: number | null }>(
      'select seq, enrich_at, enriched_at from reviews where fingerprint = ?',
      bytesOf(review.fingerprint),
    )
    if (stored === undefined) throw new Error('an occurrence has a review without a stored text')
    const waits = mayWait && stored.enriched_at === null
    if (waits && stored.enrich_at !== 0) db.run('update reviews set enrich_at = 0 where seq = ?', stored.seq)
    db.run(
      `insert into occurrences
         (occurrence_id, market, event_type, store, app_id, review_seq, occurred_at, observed_at, ready_at, no_events_until)
       values (?, ?, 'review.created', ?, ?, ?, ?, ?, ?, iif(?, ${NO_EVENTS_UNTIL}, null)) on conflict (occurrence_id, market) do nothing`,
      bytesOf(review.fingerprint),
      review.market,
      review.store,
      review.appId,
      stored.seq,
      msOf(review.occurredAt),
      msOf(review.observedAt),
      waits ? msOf(enrichment.readyAt) : polledAt,
      flagOf(shownElsewhere.has(review.fingerprint)),
      bytesOf(review.fingerprint),
    )
  }
}

/**
 * Stores the answers that public pages show, and removes those that they no longer show. Neither changes the text of a review or
 * creates an occurrence.
 */
export function storePublicReplies(db: Connection, fetched: readonly Review[]): void {
  const replies = [...publicRepliesOf(fetched)].map(([fingerprint, reply]) => ({
    fingerprint,
    text: reply?.text ?? null,
    at: msOrNull(reply?.at ?? null),
  }))
  db.run(
    `update reviews set reply_text = j.value ->> 'text', reply_at = j.value ->> 'at' from json_each(?) j
     where reviews.fingerprint = unhex(j.value ->> 'fingerprint')
       and (reply_text is not j.value ->> 'text' or reply_at is not j.value ->> 'at')`,
    JSON.stringify(replies),
  )
}

function insertReview(db: Connection, review: Review, queuedAt: number | null): void {
  db.run(
    `insert into reviews (fingerprint, store, app_id, review_id, market, rating, title, body, author, app_version,
       shown_at, edited, content_hash, occurred_at, observed_at, enrich_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    bytesOf(review.fingerprint),
    review.store,
    review.appId,
    review.reviewId,
    review.market,
    review.rating,
    review.title,
    review.body,
    review.author,
    review.appVersion,
    msOf(review.shownAt),
    review.edited === null ? null : flagOf(review.edited),
    bytesOf(review.contentHash),
    msOf(review.occurredAt),
    msOf(review.observedAt),
    queuedAt,
  )
}

function replaceReview(
  db: Connection,
  review: Review,
  contentChanged: boolean,
  queuedAt: number | null,
  polledAt: number,
): void {
  const fingerprint = bytesOf(review.fingerprint)
  db.run(
    `update reviews set rating = ?, title = ?, body = ?, app_version = ?, shown_at = ?, edited = coalesce(?, edited),
       content_hash = ? where fingerprint = ?`,
    review.rating,
    review.title,
    review.body,
    review.appVersion,
    msOf(review.shownAt),
    review.edited === null ? null : flagOf(review.edited),
    bytesOf(review.contentHash),
    fingerprint,
  )
  if (!contentChanged) return
  // Without the lease, a running enrichment of the old text is not stored.
  db.run(
    `update reviews set
       enrich_at = iif(?1 is not null and exists (
         select 1 from occurrences o where o.review_seq = reviews.seq and o.ready_at > ?2), 0, ?1),
       enrich_lease = null, enrich_leased_until = null, enrichment = null, engine = null, engine_version = null,
       enriched_at = null, enrich_tries = 0, enrich_failure = null, language = null, sentiment = null, severity = null, themes_mask = null,
       is_bug_report = null, is_feature_request = null, feature_slug = null
     where fingerprint = ?3`,
    queuedAt,
    polledAt,
    fingerprint,
  )
}
