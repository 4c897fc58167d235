import type { Review } from '../../../model/review.ts'
import type { Poll, RatingDecision, ReviewsDecision } from '../../port/feeds.ts'
import { knownFromMs } from '../../tables/feeds/feed-rows.ts'
import { bytesOf, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

/** Occurrences that are stored only while a watch has their type, since most apps have none. */

type Feed = { readonly id: number; readonly store: string; readonly app_id: string; readonly market: string }

const HAS_WATCH = 'exists (select 1 from watches where store = ?3 and app_id = ?4 and event_type = ?5)'

/** The first poll of a feed after a time without polls. */
export function storeReviewBaseline(db: Connection, poll: Poll, fetched: readonly Review[]): void {
  db.run(
    'update feeds set baseline_at = ?, known_from = ? where id = ?',
    msOf(poll.polledAt),
    knownFromMs(fetched, poll.polledAt),
    poll.feedId,
  )
}

export function insertSpikeOccurrence(
  db: Connection,
  feed: Feed,
  { polledAt }: Poll,
  { occurrenceId, newestAt }: NonNullable<ReviewsDecision['negatives']>,
): void {
  db.run(
    `insert into occurrences (occurrence_id, market, event_type, store, app_id, occurred_at, observed_at, ready_at)
     select ?1, ?2, ?5, ?3, ?4, ?6, ?7, ?7 where ${HAS_WATCH}
     on conflict (occurrence_id, market) do nothing`,
    bytesOf(occurrenceId),
    feed.market,
    feed.store,
    feed.app_id,
    'reviews.spiked',
    msOf(newestAt),
    msOf(polledAt),
  )
}

export function insertRiseOccurrence(
  db: Connection,
  feed: Feed,
  { polledAt }: Poll,
  { occurrenceId, previous, current }: NonNullable<RatingDecision['rise']>,
): void {
  db.run(
    `insert into occurrences (occurrence_id, market, event_type, store, app_id, previous_micros, previous_count,
       current_micros, current_count, occurred_at, observed_at, ready_at)
     select ?1, ?2, ?5, ?3, ?4, ?6, ?7, ?8, ?9, ?10, ?10, ?10 where ${HAS_WATCH}
     on conflict (occurrence_id, market) do nothing`,
    bytesOf(occurrenceId),
    feed.market,
    feed.store,
    feed.app_id,
    'rating.recovered',
    previous.micros,
    previous.count,
    current.micros,
    current.count,
    msOf(polledAt),
  )
}
