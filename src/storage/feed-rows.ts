import type { Feed, FeedView, PollOutcome } from '../model/feed.ts'
import type { Rating } from '../model/rating.ts'
import type { FeedKind, Store } from '../model/vocabulary.ts'
import { dateOrNull } from './values.ts'

/** Rows of feeds, the same on both engines. */

export const FEED_COLUMNS =
  'id, store, app_id, kind, market, interval_ms, failures, last_ok_at, walk_incomplete, baseline_micros, baseline_count'

export type FeedRow = {
  id: number
  store: Store
  app_id: string
  kind: FeedKind
  market: string
  interval_ms: number
  failures: number
  last_ok_at: number | null
  walk_incomplete: number
  baseline_micros: number | null
  baseline_count: number | null
}

export const FEED_VIEW_COLUMNS = `${FEED_COLUMNS}, next_poll_at, last_polled_at, last_outcome, last_source, last_detail, failing_since,
  exists (select 1 from raw_answers r where r.feed_id = feeds.id) as has_raw_answer`

export type FeedViewRow = FeedRow & {
  next_poll_at: number | null
  last_polled_at: number | null
  last_outcome: PollOutcome | null
  last_source: string | null
  last_detail: string | null
  failing_since: number | null
  has_raw_answer: number | boolean
}

export function feedOf(row: FeedRow): Feed {
  return {
    id: row.id,
    store: row.store,
    appId: row.app_id,
    kind: row.kind,
    market: row.market,
    intervalMs: row.interval_ms,
    failures: row.failures,
    lastOkAt: dateOrNull(row.last_ok_at),
    walkIncomplete: row.walk_incomplete !== 0,
  }
}

export function baselineOf(row: Pick<FeedRow, 'baseline_micros' | 'baseline_count'>): Rating | null {
  return row.baseline_micros === null || row.baseline_count === null
    ? null
    : { micros: row.baseline_micros, count: row.baseline_count }
}

export function feedViewOf(row: FeedViewRow): FeedView {
  return {
    ...feedOf(row),
    active: row.next_poll_at !== null,
    nextPollAt: dateOrNull(row.next_poll_at),
    lastPolledAt: dateOrNull(row.last_polled_at),
    lastOutcome: row.last_outcome,
    lastSource: row.last_source,
    lastDetail: row.last_detail,
    failingSince: dateOrNull(row.failing_since),
    hasRawAnswer: Boolean(row.has_raw_answer),
    baseline: baselineOf(row),
  }
}
