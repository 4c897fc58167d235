import type { Review } from '../../../model/review.ts'
import type { Poll, RatingDecision, RatingObservation, ReviewsDecision } from '../../port/feeds.ts'
import { type FeedRow, knownFromMs } from '../../tables/feeds/feed-rows.ts'
import { bytesOf, msOf } from '../../values.ts'
import type { Transaction } from '../connect.ts'

/** Occurrences that are stored only while a watch has their type, since most apps have none. */

/** The first poll of a feed after a time without polls. */
export async function storeReviewBaseline(
  tx: Transaction,
  poll: Poll,
  fetched: readonly Review[],
): Promise<void> {
  await tx.run(
    'update feeds set baseline_at = $1, known_from = $2 where id = $3',
    msOf(poll.polledAt),
    knownFromMs(fetched, poll.polledAt),
    poll.feedId,
  )
}

export async function insertSpikeOccurrence(
  tx: Transaction,
  feed: FeedRow,
  { polledAt }: Poll,
  { occurrenceId, newestAt }: NonNullable<ReviewsDecision['negatives']>,
): Promise<void> {
  const inserted = await tx.run(
    `insert into occurrences (occurrence_id, market, event_type, store, app_id, occurred_at, observed_at, ready_at)
     select $1::bytea, $2, 'reviews.spiked', $3, $4, $5::bigint, $6::bigint, $6::bigint
     where exists (select 1 from watches where store = $3 and app_id = $4 and event_type = 'reviews.spiked')
     on conflict (occurrence_id, market) do nothing`,
    bytesOf(occurrenceId),
    feed.market,
    feed.store,
    feed.app_id,
    msOf(newestAt),
    msOf(polledAt),
  )
  if (inserted > 0) tx.notifyWork()
}

export async function insertRiseOccurrences(
  tx: Transaction,
  decided: readonly {
    readonly row: FeedRow
    readonly observation: RatingObservation
    readonly decision: RatingDecision
  }[],
): Promise<void> {
  const rises = decided
    .flatMap(({ row, observation, decision: { rise } }) =>
      rise == null ? [] : [{ row, rise, at: msOf(observation.polledAt) }],
    )
    .sort((a, b) => (a.rise.occurrenceId < b.rise.occurrenceId ? -1 : 1))
  if (rises.length === 0) return
  const inserted = await tx.run(
    `insert into occurrences (occurrence_id, market, event_type, store, app_id, previous_micros, previous_count,
       current_micros, current_count, occurred_at, observed_at, ready_at)
     select v.occurrence_id, v.market, 'rating.recovered', v.store, v.app_id, v.previous_micros, v.previous_count,
       v.current_micros, v.current_count, v.at, v.at, v.at
     from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::bigint[], $7::integer[],
       $8::bigint[], $9::bigint[]) as v (occurrence_id, market, store, app_id, previous_micros, previous_count,
       current_micros, current_count, at)
     where exists (
       select 1 from watches w where w.store = v.store and w.app_id = v.app_id and w.event_type = 'rating.recovered')
     on conflict (occurrence_id, market) do nothing`,
    rises.map(({ rise }) => bytesOf(rise.occurrenceId)),
    rises.map(({ row }) => row.market),
    rises.map(({ row }) => row.store),
    rises.map(({ row }) => row.app_id),
    rises.map(({ rise }) => rise.previous.micros),
    rises.map(({ rise }) => rise.previous.count),
    rises.map(({ rise }) => rise.current.micros),
    rises.map(({ rise }) => rise.current.count),
    rises.map(({ at }) => at),
  )
  if (inserted > 0) tx.notifyWork()
}
