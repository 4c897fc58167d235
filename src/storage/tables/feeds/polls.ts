import type { PollOutcome } from '../../../model/feed.ts'
import { RATING_HISTORY_INTERVAL_MS } from '../../../model/feed-interval.ts'
import { unseenAtOf } from '../../../model/late-reviews.ts'
import type { Rating } from '../../../model/rating.ts'
import { ratingHighs, SLIDE_MS_MAX } from '../../../model/rating-slide.ts'
import type { Review } from '../../../model/review.ts'
import type { EventType, Store } from '../../../model/vocabulary.ts'
import { columns, flag, instant, integer, nullable, real, sha256, text, word } from '../../columns.ts'
import type { FeedStorage, KnownReviews, Poll, RatingDecision } from '../../port/feeds.ts'
import { dateOrNull, msOf } from '../../values.ts'
import { all, get, notifyWork, run, runRows, sql, together, type Work } from '../../work.ts'
import { deleteCopies } from '../reports/imports.ts'
import { forwardFromOf } from './coverage.ts'
import { baselineOf, FEED_COLUMNS, type FeedRow, feedOf } from './feed-rows.ts'
import { quarantine, storeSources } from './quarantine.ts'
import { contentHashesOf, insertReviewOccurrences, storePublicReplies, upsertReviews } from './reviews.ts'
import { recordSeen, seenInApp, seenOf } from './seen.ts'

type LeasedRow = FeedRow & {
  lease: string | null
  failing_since: number | null
  reviews_per_day: number | null
}

/** The body of `FeedStorage.commitReviews`. */
export function* commitReviews(
  ...[poll, fetched, pagingIncomplete, enrichment, decide, sourceFindings]: Parameters<
    FeedStorage['commitReviews']
  >
): Work<boolean> {
  const row = (yield* leasedRows([poll])).get(poll.feedId)
  if (row === undefined) return false
  const known = yield* knownReviews(row, fetched)
  const decision = decide(known)
  yield* recordSeen(poll.feedId, decision.seen)
  yield* deleteCopies(decision.toStore.filter(({ fingerprint }) => !known.contentHashes.has(fingerprint)))
  yield* upsertReviews(decision.toStore, known.contentHashes, poll, enrichment)
  yield* storePublicReplies(fetched)
  const unseenAt = unseenAtOf(feedOf(row))
  yield* insertReviewOccurrences(decision.occurrences, poll, enrichment, unseenAt, known.inSiblings)
  if (row.baseline_at === null) {
    // The first poll of a feed after a time without polls.
    const oldest = fetched
      .map(({ occurredAt }) => msOf(occurredAt))
      .reduce((a, b) => Math.min(a, b), msOf(poll.polledAt))
    yield* run('update feeds set known_from = ?1 where id = ?2', oldest, poll.feedId)
  } else if (decision.negatives != null) {
    const { occurrenceId, newestAt } = decision.negatives
    const spike = { ...occurrenceOf(row, poll, 'reviews.spiked'), occurrenceId, occurredAt: newestAt }
    yield* insertIfWatched(spike)
  }
  if (sourceFindings !== undefined) {
    yield* storeSources(poll.feedId, sourceFindings.sources)
    yield* quarantine(poll, feedOf(row), fetched, sourceFindings)
  }
  const baselineAt = dateOrNull(row.baseline_at) ?? poll.polledAt
  yield* completePolls([{ poll, row, next: { ...decision, pagingIncomplete }, baselineAt }])
  return true
}

/** The body of `FeedStorage.commitRatings`. */
export function* commitRatings(
  ...[observations, decide]: Parameters<FeedStorage['commitRatings']>
): Work<Set<number>> {
  const rows = yield* leasedRows(observations)
  const decided = observations.flatMap((poll) => {
    const row = rows.get(poll.feedId)
    rows.delete(poll.feedId) // of two observations the first counts
    return row === undefined ? [] : [{ poll, row, next: decide(poll, baselineOf(row), row.interval_ms) }]
  })
  yield* insertRatingHistory(
    decided.flatMap(({ poll }) => (poll.rating === null ? [] : [{ ...poll, rating: poll.rating }])),
  )
  const changes = decided.flatMap(({ poll, row, next: { drop, rise } }) => [
    ...(drop == null ? [] : [{ poll, row, change: drop, eventType: 'rating.dropped' as const }]),
    ...(rise == null ? [] : [{ poll, row, change: rise, eventType: 'rating.recovered' as const }]),
  ])
  // A fixed order avoids deadlocks.
  for (const each of changes.sort((a, b) => (a.change.occurrenceId < b.change.occurrenceId ? -1 : 1)))
    yield* insertRatingChange(each)
  yield* completePolls(
    decided.map(({ poll, row, next }) => ({
      poll,
      row,
      next,
      baselineAt: dateOrNull(row.baseline_at) ?? (next.baseline === null ? null : poll.polledAt),
      baseline: next.baseline,
    })),
  )
  return new Set(decided.map(({ row }) => row.id))
}

/** The body of `FeedStorage.commitFailures`. */
export function* commitFailures(...[polls]: Parameters<FeedStorage['commitFailures']>): Work<void> {
  const rows = yield* leasedRows(polls)
  yield* completePolls(
    polls.flatMap((poll) => {
      const row = rows.get(poll.feedId)
      rows.delete(poll.feedId)
      const baselineAt = dateOrNull(row?.baseline_at ?? null)
      return row === undefined ? [] : [{ poll, row, next: { nextPollAt: poll.nextPollAt }, baselineAt }]
    }),
  )
}

const LEASED = sql(
  (d) => `select ${FEED_COLUMNS}, lease, failing_since, reviews_per_day from feeds
    where id ${d.among('?1', 'integer')} order by id ${d.forUpdate()}`,
)

/** The feeds of the polls with a valid lease, locked in a fixed order. */
function* leasedRows(polls: readonly Pick<Poll, 'feedId' | 'lease'>[]): Work<Map<number, LeasedRow>> {
  if (polls.length === 0) return new Map()
  const rows = yield* all<LeasedRow>(
    LEASED,
    polls.map(({ feedId }) => feedId),
  )
  const isValid = ({ id, lease }: LeasedRow) =>
    polls.some((poll) => poll.feedId === id && poll.lease === lease)
  return new Map(rows.filter(isValid).map((row) => [row.id, row]))
}

function* knownReviews(row: FeedRow, fetched: readonly Review[]): Work<KnownReviews> {
  const feed = feedOf(row)
  const fingerprints = fetched.map(({ fingerprint }) => fingerprint)
  const [inFeed, contentHashes, forwardFrom] = yield* together(
    seenOf(feed.id, fingerprints),
    contentHashesOf(fingerprints),
    forwardFromOf([feed], ['review.created']),
  )
  const unknown = fingerprints.filter((fingerprint) => !inFeed.has(fingerprint))
  return {
    inFeed,
    inSiblings: yield* seenInApp(feed, unknown),
    contentHashes,
    forwardFrom: forwardFrom(feed),
  }
}

const POLLED = columns({
  id: integer,
  nextPollAt: instant,
  claimedDueAt: nullable(instant),
  lease: nullable(text),
  intervalMs: integer,
  walkIncomplete: flag,
  baselineAt: nullable(instant),
  baselineMicros: nullable(integer),
  baselineCount: nullable(integer),
  reviewsPerDay: nullable(real),
  lastPolledAt: instant,
  lastOutcome: word<PollOutcome>(),
  lastSource: nullable(text),
  lastDetail: nullable(text),
  failures: integer,
  lastOkAt: nullable(instant),
  failingSince: nullable(instant),
})

const RAW_ANSWER = columns({ feedId: integer, raw: text, at: instant })

/** Schedules the next polls, stores the results of these, and releases the leases. Null leaves a value unchanged. */
function* completePolls(
  updates: readonly {
    readonly poll: Poll
    readonly row: LeasedRow
    readonly next: {
      readonly nextPollAt: Date
      readonly intervalMs?: number | null
      readonly pagingIncomplete?: boolean
      readonly reviewsPerDay?: number | null
    }
    readonly baselineAt: Date | null
    readonly baseline?: Rating | null
  }[],
): Work<void> {
  const polled = updates.map(({ poll, row, next, baselineAt, baseline = null }) => {
    const isOk = poll.outcome === 'ok' || poll.outcome === 'empty'
    return {
      id: row.id,
      nextPollAt: next.nextPollAt,
      claimedDueAt: null,
      lease: null,
      intervalMs: next.intervalMs ?? row.interval_ms,
      walkIncomplete: next.pagingIncomplete ?? row.walk_incomplete === 1,
      baselineAt,
      baselineMicros: baseline?.micros ?? row.baseline_micros,
      baselineCount: baseline?.count ?? row.baseline_count,
      reviewsPerDay: next.reviewsPerDay ?? row.reviews_per_day,
      lastPolledAt: poll.polledAt,
      lastOutcome: poll.outcome,
      lastSource: poll.source,
      lastDetail: poll.detail,
      failures: isOk ? 0 : row.failures + 1,
      lastOkAt: isOk ? poll.polledAt : dateOrNull(row.last_ok_at),
      failingSince: isOk ? null : (dateOrNull(row.failing_since) ?? poll.polledAt),
    }
  })
  yield* POLLED.updateAll('feeds', ['id'], polled)
  yield* RAW_ANSWER.insertAll(
    'raw_answers',
    updates.flatMap(({ poll: { feedId, raw, polledAt: at } }) => (raw === null ? [] : [{ feedId, raw, at }])),
    'on conflict (feed_id) do update set raw = excluded.raw, at = excluded.at',
  )
}

const INSERT_RATINGS = {
  sqlite: `insert into ratings (feed_id, observed_at, micros, count)
    select ?1, ?2, ?3, ?4 where not exists (
      select 1 from (select micros, observed_at from ratings where feed_id = ?1 order by observed_at desc limit 1)
      where micros = ?3 and observed_at > ?2 - ${RATING_HISTORY_INTERVAL_MS})
    on conflict do nothing`,
  postgres: `insert into ratings (feed_id, observed_at, micros, count)
    select v.* from unnest(?1::integer[], ?2::bigint[], ?3::integer[], ?4::bigint[])
      as v (feed_id, observed_at, micros, count)
    where not exists (
      select 1 from (
        select r.micros, r.observed_at from ratings r where r.feed_id = v.feed_id
        order by r.observed_at desc limit 1) newest
      where newest.micros = v.micros and newest.observed_at > v.observed_at - ${RATING_HISTORY_INTERVAL_MS})
    on conflict do nothing`,
}

/** Adds a row to a rating history when the value changed or the last row is a day old. */
function insertRatingHistory(
  observed: readonly (Pick<Poll, 'feedId' | 'polledAt'> & { readonly rating: Rating })[],
): Work<number> {
  return runRows(
    INSERT_RATINGS,
    observed.map(({ feedId, polledAt, rating }) => [feedId, msOf(polledAt), rating.micros, rating.count]),
  )
}

const SPIKE = columns({
  occurrenceId: sha256,
  market: text,
  eventType: word<EventType>(),
  store: word<Store>(),
  appId: text,
  occurredAt: instant,
  observedAt: instant,
  readyAt: instant,
})

const RATING_CHANGE = columns({
  ...SPIKE.shape,
  previous: { micros: integer, count: integer },
  current: { micros: integer, count: integer },
  highs: nullable(text),
})

const ONCE = 'on conflict (occurrence_id, market) do nothing'

function occurrenceOf(
  row: Pick<FeedRow, 'market' | 'store' | 'app_id'>,
  { polledAt }: Pick<Poll, 'polledAt'>,
  eventType: EventType,
) {
  const { market, store, app_id: appId } = row
  return { market, store, appId, eventType, occurredAt: polledAt, observedAt: polledAt, readyAt: polledAt }
}

function* insertRatingChange({
  poll,
  row,
  change,
  eventType,
}: {
  readonly poll: Poll
  readonly row: FeedRow
  readonly change: NonNullable<RatingDecision['drop']>
  readonly eventType: 'rating.dropped' | 'rating.recovered'
}): Work<void> {
  const isDrop = eventType === 'rating.dropped'
  if (!isDrop && !(yield* isWatched(row.store, row.app_id, eventType))) return
  const highs = isDrop
    ? JSON.stringify(
        ratingHighs(yield* historyBefore(row, poll.polledAt), change.previous, msOf(poll.polledAt)),
      )
    : null
  const occurrence = { ...occurrenceOf(row, poll, eventType), ...change, highs }
  if ((yield* RATING_CHANGE.insert('occurrences', occurrence, ONCE)) > 0) yield* notifyWork()
}

/** Only a watch of their type needs them, and most apps have none. */
function* insertIfWatched(spike: Parameters<typeof SPIKE.values>[0]): Work<void> {
  if (!(yield* isWatched(spike.store, spike.appId, spike.eventType))) return
  if ((yield* SPIKE.insert('occurrences', spike, ONCE)) > 0) yield* notifyWork()
}

function* isWatched(store: Store, appId: string, eventType: EventType): Work<boolean> {
  const watch = 'select 1 from watches where store = ?1 and app_id = ?2 and event_type = ?3 limit 1'
  return (yield* get(watch, store, appId, eventType)) !== undefined
}

/** The ratings of a feed that a window may contain: those of its length, and the last one before. */
function* historyBefore({ id, baseline_at }: FeedRow, at: Date) {
  const rows = yield* all<{ observed_at: number; micros: number }>(
    `select observed_at, micros from ratings where feed_id = ?1 and observed_at >= ?2
       and observed_at >= coalesce((select max(observed_at) from ratings where feed_id = ?1 and observed_at <= ?3), 0)
     order by observed_at`,
    ...[id, baseline_at ?? 0, msOf(at) - SLIDE_MS_MAX],
  )
  return rows.map(({ observed_at, micros }) => ({ observedAtMs: observed_at, micros }))
}
