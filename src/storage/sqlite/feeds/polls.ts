import { forwardFrom } from '../../../model/coverage.ts'
import type { Feed } from '../../../model/feed.ts'
import type { Rating } from '../../../model/rating.ts'
import { ratingHighs, SLIDE_MS_MAX } from '../../../model/rating-slide.ts'
import type { Review } from '../../../model/review.ts'
import type { EventType } from '../../../model/vocabulary.ts'
import { RATING_HISTORY_INTERVAL_MS } from '../../feeds/intervals.ts'
import type {
  EnrichmentRequest,
  KnownReviews,
  Poll,
  RatingDecision,
  RatingObservation,
  ReviewsDecision,
  SourceFindings,
} from '../../port/feeds.ts'
import { baselineOf, FEED_COLUMNS, type FeedRow, feedOf } from '../../tables/feeds/feed-rows.ts'
import { bytesOf, flagOf, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { deleteCopies } from '../reports/imports.ts'
import { insertRiseOccurrence, insertSpikeOccurrence, storeReviewBaseline } from './changes.ts'
import { watchersOf } from './coverage.ts'
import { quarantine, storeSources } from './quarantine.ts'
import { contentHashesOf, insertReviewOccurrences, storePublicReplies, upsertReviews } from './reviews.ts'
import { recordSeen, seenInApp, seenOf } from './seen.ts'

/** The body of `FeedStorage.commitReviews`. */
export function commitReviews(
  db: Connection,
  poll: Poll,
  fetched: readonly Review[],
  pagingIncomplete: boolean,
  enrichment: EnrichmentRequest,
  decide: (known: KnownReviews) => ReviewsDecision,
  sourceFindings?: SourceFindings,
): boolean {
  const row = leasedRow(db, poll)
  if (row === undefined) return false
  const known = knownReviews(db, feedOf(row), fetched)
  const decision = decide(known)
  recordSeen(db, poll.feedId, decision.seen)
  deleteCopies(
    db,
    decision.toStore.filter(({ fingerprint }) => !known.contentHashes.has(fingerprint)),
  )
  upsertReviews(db, decision.toStore, known.contentHashes, poll, enrichment)
  storePublicReplies(db, fetched)
  insertReviewOccurrences(db, decision.occurrences, poll, enrichment, known.inSiblings)
  if (row.baseline_at === null) storeReviewBaseline(db, poll, fetched)
  else if (decision.negatives != null) insertSpikeOccurrence(db, row, poll, decision.negatives)
  if (sourceFindings !== undefined) {
    storeSources(db, poll.feedId, sourceFindings.sources)
    quarantine(db, poll, fetched, sourceFindings)
  }
  completePoll(db, poll, { ...decision, pagingIncomplete })
  return true
}

/** The body of `FeedStorage.commitRatings`. */
export function commitRatings(
  db: Connection,
  observations: readonly RatingObservation[],
  decide: (observation: RatingObservation, baseline: Rating | null, intervalMs: number) => RatingDecision,
): Set<number> {
  const written = new Set<number>()
  for (const observation of observations) {
    const row = leasedRow(db, observation)
    if (row === undefined) continue
    const decision = decide(observation, baselineOf(row), row.interval_ms)
    if (decision.baseline !== null) {
      db.run(
        'update feeds set baseline_micros = ?, baseline_count = ?, baseline_at = coalesce(baseline_at, ?) where id = ?',
        decision.baseline.micros,
        decision.baseline.count,
        msOf(observation.polledAt),
        row.id,
      )
    }
    if (observation.rating !== null) insertRatingHistory(db, observation, observation.rating)
    if (decision.drop !== null) insertDropOccurrence(db, row, observation, decision.drop)
    if (decision.rise != null) insertRiseOccurrence(db, row, observation, decision.rise)
    completePoll(db, observation, { ...decision, pagingIncomplete: null, reviewsPerDay: null })
    written.add(row.id)
  }
  return written
}

/** The body of `FeedStorage.commitFailures`. */
export function commitFailures(
  db: Connection,
  polls: readonly (Poll & { readonly nextPollAt: Date })[],
): void {
  for (const poll of polls) {
    if (leasedRow(db, poll) === undefined) continue
    completePoll(db, poll, {
      nextPollAt: poll.nextPollAt,
      intervalMs: null,
      pagingIncomplete: null,
      reviewsPerDay: null,
    })
  }
}

/** `LeasedFeed.forwardFrom` of a review feed. */
export function forwardFromOf(db: Connection, feed: Feed, eventTypes?: readonly EventType[]): Date | null {
  if (feed.kind !== 'reviews') return null
  const { watches, tracked } = watchersOf(db, feed)
  return forwardFrom(feed.store, feed.market, watches, tracked, eventTypes)
}

function leasedRow(db: Connection, { feedId, lease }: Poll): FeedRow | undefined {
  return db.get<FeedRow>(`select ${FEED_COLUMNS} from feeds where id = ? and lease = ?`, feedId, lease)
}

function knownReviews(db: Connection, feed: Feed, fetched: readonly Review[]): KnownReviews {
  const fingerprints = fetched.map(({ fingerprint }) => fingerprint)
  const inFeed = seenOf(db, feed.id, fingerprints)
  const unknown = fingerprints.filter((fingerprint) => !inFeed.has(fingerprint))
  return {
    inFeed,
    inSiblings: seenInApp(db, feed, unknown),
    contentHashes: contentHashesOf(db, fingerprints),
    forwardFrom: forwardFromOf(db, feed, ['review.created']),
  }
}

/** Schedules the next poll, stores the result of this one, and releases the lease. Null leaves a value unchanged. */
function completePoll(
  db: Connection,
  poll: Poll,
  next: {
    readonly nextPollAt: Date
    readonly intervalMs: number | null
    readonly pagingIncomplete: boolean | null
    readonly reviewsPerDay: number | null
  },
): void {
  const isOk = poll.outcome === 'ok' || poll.outcome === 'empty'
  db.run(
    `update feeds set next_poll_at = ?1, claimed_due_at = null, lease = null, interval_ms = coalesce(?2, interval_ms),
       walk_incomplete = coalesce(?3, walk_incomplete), last_polled_at = ?4, last_outcome = ?5, last_source = ?6,
       last_detail = ?7, failures = iif(?8, 0, failures + 1), last_ok_at = iif(?8, ?4, last_ok_at),
       failing_since = iif(?8, null, coalesce(failing_since, ?4)), reviews_per_day = coalesce(?10, reviews_per_day)
     where id = ?9`,
    msOf(next.nextPollAt),
    next.intervalMs,
    next.pagingIncomplete === null ? null : flagOf(next.pagingIncomplete),
    msOf(poll.polledAt),
    poll.outcome,
    poll.source,
    poll.detail,
    flagOf(isOk),
    poll.feedId,
    next.reviewsPerDay,
  )
  if (poll.raw !== null) {
    db.run(
      `insert into raw_answers (feed_id, raw, at) values (?, ?, ?)
       on conflict (feed_id) do update set raw = excluded.raw, at = excluded.at`,
      poll.feedId,
      poll.raw,
      msOf(poll.polledAt),
    )
  }
}

/** Adds a row to the rating history when the value changed or the last row is a day old. */
function insertRatingHistory(db: Connection, { feedId, polledAt }: Poll, rating: Rating): void {
  db.run(
    `insert into ratings (feed_id, observed_at, micros, count)
     select ?1, ?2, ?3, ?4 where not exists (
       select 1 from (select micros, observed_at from ratings where feed_id = ?1 order by observed_at desc limit 1)
       where micros = ?3 and observed_at > ?2 - ${RATING_HISTORY_INTERVAL_MS})
     on conflict do nothing`,
    feedId,
    msOf(polledAt),
    rating.micros,
    rating.count,
  )
}

function insertDropOccurrence(
  db: Connection,
  row: FeedRow,
  { polledAt }: Poll,
  drop: NonNullable<RatingDecision['drop']>,
): void {
  db.run(
    `insert into occurrences (occurrence_id, market, event_type, store, app_id, previous_micros, previous_count,
       current_micros, current_count, occurred_at, observed_at, ready_at, highs)
     values (?1, ?2, 'rating.dropped', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?9, ?10)
     on conflict (occurrence_id, market) do nothing`,
    bytesOf(drop.occurrenceId),
    row.market,
    row.store,
    row.app_id,
    drop.previous.micros,
    drop.previous.count,
    drop.current.micros,
    drop.current.count,
    msOf(polledAt),
    JSON.stringify(ratingHighs(historyBefore(db, row, polledAt), drop.previous, msOf(polledAt))),
  )
}

/** The ratings of a feed that a window may contain: those of its length, and the last one before. */
function historyBefore(db: Connection, { id, baseline_at }: FeedRow, at: Date) {
  return db
    .all<{ observed_at: number; micros: number }>(
      `select observed_at, micros from ratings where feed_id = ?1 and observed_at >= ?2
         and observed_at >= coalesce((select max(observed_at) from ratings where feed_id = ?1 and observed_at <= ?3), 0)
       order by observed_at`,
      id,
      baseline_at ?? 0,
      msOf(at) - SLIDE_MS_MAX,
    )
    .map(({ observed_at, micros }) => ({ observedAtMs: observed_at, micros }))
}
