import type { Occurrence } from '../../../model/occurrence.ts'
import type { RatingHigh } from '../../../model/rating-slide.ts'
import { NO_NEGATIVE_REVIEWS } from '../../../model/review-spike.ts'
import type { EventType, Store } from '../../../model/vocabulary.ts'
import { dateOf, dateOrNull, hexOf, parsedOrNull } from '../../values.ts'
import { enrichedReviewOf, REVIEW_COLUMNS, type ReviewRow } from '../feeds/review-rows.ts'

/** Rows of `occurrences o left join reviews r`. */

export const OCCURRENCE_COLUMNS = `o.seq, o.occurrence_id, o.market, o.event_type, o.store, o.app_id, o.review_seq,
  o.previous_micros, o.previous_count, o.current_micros, o.current_count, o.highs, o.occurred_at, o.observed_at, o.unseen_at,
  ${REVIEW_COLUMNS}`

export type OccurrenceRow = {
  seq: number
  occurrence_id: Uint8Array
  market: string
  event_type: EventType
  store: Store
  app_id: string
  review_seq: number | null
  previous_micros: number | null
  previous_count: number | null
  current_micros: number | null
  current_count: number | null
  highs: string | null
  occurred_at: number
  observed_at: number
  unseen_at: number | null
} & ReviewRow

export function occurrenceOf(row: OccurrenceRow): Occurrence {
  const common = {
    seq: row.seq,
    occurrenceId: hexOf(row.occurrence_id),
    store: row.store,
    appId: row.app_id,
    market: row.market,
    occurredAt: dateOf(row.occurred_at),
    observedAt: dateOf(row.observed_at),
  }
  if (row.event_type === 'review.created') {
    return {
      ...common,
      eventType: row.event_type,
      review: enrichedReviewOf(row),
      unseenAt: dateOrNull(row.unseen_at),
    }
  }
  // `fanOut` adds the reviews.
  if (row.event_type === 'reviews.spiked') {
    return { ...common, eventType: row.event_type, negatives: NO_NEGATIVE_REVIEWS }
  }
  const { previous_micros, previous_count, current_micros, current_count } = row
  if (
    previous_micros === null ||
    previous_count === null ||
    current_micros === null ||
    current_count === null
  ) {
    throw new Error(`occurrence ${row.seq} is a change of a rating without its ratings`)
  }
  const change = {
    previous: { micros: previous_micros, count: previous_count },
    current: { micros: current_micros, count: current_count },
  }
  // `fanOut` adds the history.
  if (row.event_type === 'rating.recovered') {
    return { ...common, eventType: row.event_type, ...change, history: [] }
  }
  return {
    ...common,
    eventType: row.event_type,
    ...change,
    // A drop from before this column knows only the last rating.
    highs: parsedOrNull<RatingHigh[]>(row.highs) ?? [{ micros: previous_micros, ageMs: 0 }],
  }
}
