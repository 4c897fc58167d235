import type { Feed, FeedSources, FeedView, FrozenReason, PollOutcome } from '../../../model/feed.ts'
import type { Rating } from '../../../model/rating.ts'
import type { FeedKind, Store } from '../../../model/vocabulary.ts'
import { dateOf, dateOrNull, msOrNull } from '../../values.ts'

/** Rows of feeds, the same on both engines. */

export const FEED_COLUMNS =
  'id, store, app_id, kind, market, interval_ms, failures, last_ok_at, walk_incomplete, baseline_micros, baseline_count, baseline_at, ' +
  'last_source, newest_shown_at, fallback_source, fallback_since, fallback_reason, probed_at, frozen_since, frozen_source, ' +
  'frozen_reason, other_asked_at'

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
  /**
   * When the feed got a baseline after it had none; older ratings are of an earlier time that it was polled. For reviews
   * the first poll.
   */
  baseline_at: number | null
  last_source: string | null
  newest_shown_at: number | null
  fallback_source: string | null
  fallback_since: number | null
  fallback_reason: string | null
  probed_at: number | null
  frozen_since: number | null
  frozen_source: string | null
  frozen_reason: FrozenReason | null
  other_asked_at: number | null
}

export const FEED_VIEW_COLUMNS = `${FEED_COLUMNS}, next_poll_at, last_polled_at, last_outcome, last_detail, failing_since,
  exists (select 1 from raw_answers r where r.feed_id = feeds.id) as has_raw_answer`

export type FeedViewRow = FeedRow & {
  next_poll_at: number | null
  last_polled_at: number | null
  last_outcome: PollOutcome | null
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
    pagingIncomplete: row.walk_incomplete !== 0,
    lastSource: row.last_source,
    sources: sourcesOf(row),
  }
}

function sourcesOf(row: FeedRow): FeedSources {
  const { fallback_source: source, fallback_since, frozen_since, frozen_source, frozen_reason } = row
  return {
    newestShownAt: dateOrNull(row.newest_shown_at),
    fallback:
      source === null || fallback_since === null
        ? null
        : {
            source,
            since: dateOf(fallback_since),
            reason: row.fallback_reason ?? '',
            probedAt: dateOf(row.probed_at ?? fallback_since),
          },
    frozen:
      frozen_since === null || frozen_source === null || frozen_reason === null
        ? null
        : { source: frozen_source, since: dateOf(frozen_since), reason: frozen_reason },
    lastComparedAt: dateOrNull(row.other_asked_at),
  }
}

/** Columns of `FeedSources` in the order of `sourceValues`. */
export const SOURCE_COLUMNS = [
  'newest_shown_at',
  'fallback_source',
  'fallback_since',
  'fallback_reason',
  'probed_at',
  'frozen_since',
  'frozen_source',
  'frozen_reason',
  'other_asked_at',
] as const

export function sourceValues({ newestShownAt, fallback, frozen, lastComparedAt }: FeedSources) {
  return [
    msOrNull(newestShownAt),
    fallback?.source ?? null,
    msOrNull(fallback?.since ?? null),
    fallback?.reason ?? null,
    msOrNull(fallback?.probedAt ?? null),
    msOrNull(frozen?.since ?? null),
    frozen?.source ?? null,
    frozen?.reason ?? null,
    msOrNull(lastComparedAt),
  ] as const
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
    lastDetail: row.last_detail,
    failingSince: dateOrNull(row.failing_since),
    hasRawAnswer: Boolean(row.has_raw_answer),
    baseline: baselineOf(row),
  }
}
