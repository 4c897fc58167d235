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
import type { Queries, Transaction } from '../connect.ts'
import { deleteCopies } from '../reports/imports.ts'
import { insertRiseOccurrences, insertSpikeOccurrence, storeReviewBaseline } from './changes.ts'
import { watchersOf } from './coverage.ts'
import { quarantine, storeSources } from './quarantine.ts'
import { contentHashesOf, insertReviewOccurrences, storePublicReplies, upsertReviews } from './reviews.ts'
import { recordSeen, seenInApp, seenOf } from './seen.ts'

/** The body of `FeedStorage.commitReviews`. */
export async function commitReviews(
  tx: Transaction,
  poll: Poll,
  fetched: readonly Review[],
  pagingIncomplete: boolean,
  enrichment: EnrichmentRequest,
  decide: (known: KnownReviews) => ReviewsDecision,
  sourceFindings?: SourceFindings,
): Promise<boolean> {
  const row = (await leasedRows(tx, [poll])).get(poll.feedId)
  if (row === undefined) return false
  const known = await knownReviews(tx, feedOf(row), fetched)
  const decision = decide(known)
  await recordSeen(tx, poll.feedId, decision.seen)
  await deleteCopies(
    tx,
    decision.toStore.filter(({ fingerprint }) => !known.contentHashes.has(fingerprint)),
  )
  await upsertReviews(tx, decision.toStore, known.contentHashes, poll, enrichment)
  await storePublicReplies(tx, fetched)
  await insertReviewOccurrences(tx, decision.occurrences, poll, enrichment)
  if (row.baseline_at === null) await storeReviewBaseline(tx, poll, fetched)
  else if (decision.negatives != null) await insertSpikeOccurrence(tx, row, poll, decision.negatives)
  if (sourceFindings !== undefined) {
    await storeSources(tx, poll.feedId, sourceFindings.sources)
    await quarantine(tx, poll, fetched, sourceFindings)
  }
  await completePolls(tx, [{ poll, ...decision, pagingIncomplete, baseline: null }])
  return true
}

/** The body of `FeedStorage.commitRatings`. */
export async function commitRatings(
  tx: Transaction,
  observations: readonly RatingObservation[],
  decide: (observation: RatingObservation, baseline: Rating | null, intervalMs: number) => RatingDecision,
): Promise<Set<number>> {
  const rows = await leasedRows(tx, observations)
  const decided: { observation: RatingObservation; row: FeedRow; decision: RatingDecision }[] = []
  for (const observation of observations) {
    const row = rows.get(observation.feedId)
    if (row === undefined) continue
    rows.delete(observation.feedId) // of two observations the first counts
    decided.push({
      observation,
      row,
      decision: decide(observation, baselineOf(row), row.interval_ms),
    })
  }
  await insertRatingHistory(tx, decided)
  await insertDropOccurrences(tx, decided)
  await insertRiseOccurrences(tx, decided)
  await completePolls(
    tx,
    decided.map(({ observation, decision }) => ({
      poll: observation,
      ...decision,
      pagingIncomplete: null,
      reviewsPerDay: null,
    })),
  )
  return new Set(decided.map(({ row }) => row.id))
}

/** The body of `FeedStorage.commitFailures`. */
export async function commitFailures(
  tx: Transaction,
  polls: readonly (Poll & { readonly nextPollAt: Date })[],
): Promise<void> {
  const rows = await leasedRows(tx, polls)
  const updated = polls.filter(({ feedId }) => rows.delete(feedId))
  await completePolls(
    tx,
    updated.map((poll) => ({
      poll,
      nextPollAt: poll.nextPollAt,
      intervalMs: null,
      pagingIncomplete: null,
      baseline: null,
      reviewsPerDay: null,
    })),
  )
}

/** `LeasedFeed.forwardFrom` of a review feed. */
export async function forwardFromOf(
  db: Queries,
  feeds: readonly Feed[],
  eventTypes?: readonly EventType[],
): Promise<(feed: Feed) => Date | null> {
  const ofReviews = feeds.filter(({ kind }) => kind === 'reviews')
  if (ofReviews.length === 0) return () => null
  const watchers = await watchersOf(db, ofReviews)
  return (feed) => {
    if (feed.kind !== 'reviews') return null
    const { watches, tracked } = watchers(feed)
    return forwardFrom(feed.store, feed.market, watches, tracked, eventTypes)
  }
}

/** The feeds of the polls with a valid lease. Differs from sqlite: locks the rows, in a fixed order. */
async function leasedRows(
  tx: Transaction,
  polls: readonly Pick<Poll, 'feedId' | 'lease'>[],
): Promise<Map<number, FeedRow>> {
  if (polls.length === 0) return new Map()
  const rows = await tx.all<FeedRow>(
    `select ${FEED_COLUMNS} from feeds
     where (id, lease) in (select * from unnest($1::integer[], $2::text[])) order by id for update`,
    polls.map(({ feedId }) => feedId),
    polls.map(({ lease }) => lease),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

async function knownReviews(tx: Transaction, feed: Feed, fetched: readonly Review[]): Promise<KnownReviews> {
  const fingerprints = fetched.map(({ fingerprint }) => fingerprint)
  // Sent together over one connection.
  const [inFeed, inApp, contentHashes, forwardFrom] = await Promise.all([
    seenOf(tx, feed.id, fingerprints),
    seenInApp(tx, feed, fingerprints),
    contentHashesOf(tx, fingerprints),
    forwardFromOf(tx, [feed], ['review.created']),
  ])
  return { inFeed, inSiblings: inApp.difference(inFeed), contentHashes, forwardFrom: forwardFrom(feed) }
}

/** Schedules the next polls, stores the results of these, and releases the leases. Null leaves a value unchanged. */
async function completePolls(
  tx: Transaction,
  updates: readonly {
    readonly poll: Poll
    readonly nextPollAt: Date
    readonly intervalMs: number | null
    readonly pagingIncomplete: boolean | null
    readonly baseline: Rating | null
    readonly reviewsPerDay: number | null
  }[],
): Promise<void> {
  if (updates.length === 0) return
  await tx.run(
    `update feeds f set next_poll_at = v.next_poll_at, claimed_due_at = null, lease = null,
       interval_ms = coalesce(v.interval_ms, f.interval_ms),
       walk_incomplete = coalesce(v.walk_incomplete, f.walk_incomplete),
       baseline_at = case when v.baseline_micros is null then f.baseline_at else coalesce(f.baseline_at, v.polled_at) end,
       baseline_micros = coalesce(v.baseline_micros, f.baseline_micros),
       baseline_count = coalesce(v.baseline_count, f.baseline_count),
       reviews_per_day = coalesce(v.reviews_per_day, f.reviews_per_day),
       last_polled_at = v.polled_at, last_outcome = v.outcome, last_source = v.source, last_detail = v.detail,
       failures = case when v.is_ok then 0 else f.failures + 1 end,
       last_ok_at = case when v.is_ok then v.polled_at else f.last_ok_at end,
       failing_since = case when not v.is_ok then coalesce(f.failing_since, v.polled_at) end
     from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::smallint[], $5::integer[], $6::bigint[], $7::bigint[],
       $8::text[], $9::text[], $10::text[], $11::boolean[], $12::double precision[])
       as v (id, next_poll_at, interval_ms, walk_incomplete, baseline_micros, baseline_count, polled_at,
         outcome, source, detail, is_ok, reviews_per_day)
     where f.id = v.id`,
    updates.map(({ poll }) => poll.feedId),
    updates.map(({ nextPollAt }) => msOf(nextPollAt)),
    updates.map(({ intervalMs }) => intervalMs),
    updates.map(({ pagingIncomplete }) => (pagingIncomplete === null ? null : flagOf(pagingIncomplete))),
    updates.map(({ baseline }) => baseline?.micros ?? null),
    updates.map(({ baseline }) => baseline?.count ?? null),
    updates.map(({ poll }) => msOf(poll.polledAt)),
    updates.map(({ poll }) => poll.outcome),
    updates.map(({ poll }) => poll.source),
    updates.map(({ poll }) => poll.detail),
    updates.map(({ poll }) => poll.outcome === 'ok' || poll.outcome === 'empty'),
    updates.map(({ reviewsPerDay }) => reviewsPerDay),
  )
  const withRaw = updates.map(({ poll }) => poll).filter(({ raw }) => raw !== null)
  if (withRaw.length === 0) return
  await tx.run(
    `insert into raw_answers (feed_id, raw, at) select * from unnest($1::integer[], $2::text[], $3::bigint[])
     on conflict (feed_id) do update set raw = excluded.raw, at = excluded.at`,
    withRaw.map(({ feedId }) => feedId),
    withRaw.map(({ raw }) => raw),
    withRaw.map(({ polledAt }) => msOf(polledAt)),
  )
}

/** Adds a row to a rating history when the value changed or the last row is a day old. */
async function insertRatingHistory(
  tx: Transaction,
  decided: readonly { readonly observation: RatingObservation }[],
): Promise<void> {
  const observed = decided.flatMap(({ observation: { feedId, polledAt, rating } }) =>
    rating === null ? [] : [{ feedId, polledAt, rating }],
  )
  if (observed.length === 0) return
  await tx.run(
    `insert into ratings (feed_id, observed_at, micros, count)
     select v.* from unnest($1::integer[], $2::bigint[], $3::integer[], $4::bigint[])
       as v (feed_id, observed_at, micros, count)
     where not exists (
       select 1 from (
         select r.micros, r.observed_at from ratings r where r.feed_id = v.feed_id
         order by r.observed_at desc limit 1) newest
       where newest.micros = v.micros and newest.observed_at > v.observed_at - ${RATING_HISTORY_INTERVAL_MS})
     on conflict do nothing`,
    observed.map(({ feedId }) => feedId),
    observed.map(({ polledAt }) => msOf(polledAt)),
    observed.map(({ rating }) => rating.micros),
    observed.map(({ rating }) => rating.count),
  )
}

async function insertDropOccurrences(
  tx: Transaction,
  decided: readonly {
    readonly row: FeedRow
    readonly observation: RatingObservation
    readonly decision: RatingDecision
  }[],
): Promise<void> {
  const drops = decided.flatMap(({ row, observation, decision: { drop } }) =>
    drop === null ? [] : [{ row, drop, at: msOf(observation.polledAt) }],
  )
  if (drops.length === 0) return
  const history = await historiesBefore(tx, drops)
  drops.sort((a, b) => (a.drop.occurrenceId < b.drop.occurrenceId ? -1 : 1))
  const inserted = await tx.run(
    `insert into occurrences (occurrence_id, market, event_type, store, app_id, previous_micros, previous_count,
       current_micros, current_count, occurred_at, observed_at, ready_at, highs)
     select v.occurrence_id, v.market, 'rating.dropped', v.store, v.app_id, v.previous_micros, v.previous_count,
       v.current_micros, v.current_count, v.at, v.at, v.at, v.highs
     from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::bigint[], $7::integer[],
       $8::bigint[], $9::bigint[], $10::text[]) as v (occurrence_id, market, store, app_id, previous_micros, previous_count,
       current_micros, current_count, at, highs)
     on conflict (occurrence_id, market) do nothing`,
    drops.map(({ drop }) => bytesOf(drop.occurrenceId)),
    drops.map(({ row }) => row.market),
    drops.map(({ row }) => row.store),
    drops.map(({ row }) => row.app_id),
    drops.map(({ drop }) => drop.previous.micros),
    drops.map(({ drop }) => drop.previous.count),
    drops.map(({ drop }) => drop.current.micros),
    drops.map(({ drop }) => drop.current.count),
    drops.map(({ at }) => at),
    drops.map(({ row, drop, at }) => JSON.stringify(ratingHighs(history(row.id), drop.previous, at))),
  )
  if (inserted > 0) tx.notifyWork()
}

/** The ratings of these feeds that a window may contain: those of its length, and the last one before. */
async function historiesBefore(
  tx: Transaction,
  drops: readonly { readonly row: FeedRow; readonly at: number }[],
): Promise<(feedId: number) => { observedAtMs: number; micros: number }[]> {
  const rows = await tx.all<{ feed_id: number; observed_at: number; micros: number }>(
    `select r.feed_id, r.observed_at, r.micros
     from unnest($1::integer[], $2::bigint[], $3::bigint[]) as d (feed_id, baseline_at, since)
     join ratings r on r.feed_id = d.feed_id and r.observed_at >= d.baseline_at
       and r.observed_at >= coalesce(
         (select max(b.observed_at) from ratings b where b.feed_id = d.feed_id and b.observed_at <= d.since), 0)
     order by r.feed_id, r.observed_at`,
    drops.map(({ row }) => row.id),
    drops.map(({ row }) => row.baseline_at ?? 0),
    drops.map(({ at }) => at - SLIDE_MS_MAX),
  )
  const byFeed = Map.groupBy(rows, ({ feed_id }) => feed_id)
  return (feedId) =>
    (byFeed.get(feedId) ?? []).map(({ observed_at, micros }) => ({ observedAtMs: observed_at, micros }))
}
