import type { FeedSources, FeedView } from '../../../model/feed.ts'
import { QUARANTINED_ROWS_MAX, type QuarantinedRow } from '../../../model/malformed-row.ts'
import type { Review } from '../../../model/review.ts'
import type { Store, Storefront } from '../../../model/vocabulary.ts'
import type { KnownMalformedRow, Poll, SourceFindings } from '../../port/feeds.ts'
import {
  FEED_VIEW_COLUMNS,
  type FeedViewRow,
  feedViewOf,
  type KnownMalformedRowRow,
  knownMalformedRowOf,
  type QuarantineRow,
  quarantinedRowOf,
  SOURCE_COLUMNS,
  sourceValues,
} from '../../tables/feeds/feed-rows.ts'
import { bytesOf, flagOf, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

export function storeSources(db: Connection, feedId: number, sources: FeedSources): void {
  const set = SOURCE_COLUMNS.map((column) => `${column} = ?`).join(', ')
  db.run(`update feeds set ${set} where id = ?`, ...sourceValues(sources), feedId)
}

/** Part of `FeedStorage.commitReviews`: updates the quarantine with fetched and malformed rows. */
export function quarantine(
  db: Connection,
  { feedId, polledAt }: Poll,
  fetched: readonly Review[],
  { malformed, searchedAll }: SourceFindings,
): void {
  const atMs = msOf(polledAt)
  const keys = JSON.stringify(fetched.map(({ reviewId }) => reviewId))
  db.run(
    'delete from quarantined_rows where feed_id = ? and row_key in (select value from json_each(?))',
    feedId,
    keys,
  )
  for (const { rowKey, reason, raw, rawHash } of malformed) {
    db.run(
      `insert into quarantined_rows (feed_id, row_key, reason, raw, raw_hash, first_seen_at, last_seen_at, changed_at, checked_at)
       select ?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6, ?6
       where exists (select 1 from quarantined_rows where feed_id = ?1 and row_key = ?2)
         or (select count(*) from quarantined_rows where feed_id = ?1) < ${QUARANTINED_ROWS_MAX}
       on conflict (feed_id, row_key) do update set reason = excluded.reason, raw = excluded.raw, last_seen_at = ?6,
         checked_at = ?6, changed_at = iif(raw_hash = excluded.raw_hash, changed_at, ?6), raw_hash = excluded.raw_hash`,
      feedId,
      rowKey,
      reason,
      raw,
      bytesOf(rawHash),
      atMs,
    )
  }
  db.run(
    'update quarantined_rows set checked_at = ? where feed_id = ? and ?',
    atMs,
    feedId,
    flagOf(searchedAll),
  )
}

export function unusual(db: Connection, limit: number): FeedView[] {
  return db
    .all<FeedViewRow>(
      `select ${FEED_VIEW_COLUMNS} from feeds where id in (
         select id from feeds indexed by feeds_frozen where frozen_since is not null and next_poll_at is not null
         union
         select id from feeds indexed by feeds_fallback where fallback_source is not null and next_poll_at is not null)
       order by frozen_since is null, id limit ?`,
      limit,
    )
    .map(feedViewOf)
}

export function knownMalformedRows(db: Connection, feedId: number): KnownMalformedRow[] {
  return db
    .all<KnownMalformedRowRow>(
      'select row_key, raw_hash, checked_at from quarantined_rows where feed_id = ?',
      feedId,
    )
    .map(knownMalformedRowOf)
}

export function quarantined(db: Connection, limit: number): QuarantinedRow[] {
  return db
    .all<QuarantineRow>(
      `select q.*, f.store, f.app_id, f.market from quarantined_rows q join feeds f on f.id = q.feed_id
       order by q.last_seen_at desc, q.feed_id, q.row_key limit ?`,
      limit,
    )
    .map(quarantinedRowOf)
}

export function ratingsGrowth(
  db: Connection,
  { store, appId }: { readonly store: Store; readonly appId: string },
  storefronts: readonly Storefront[],
  since: Date,
): number | null {
  const row = db.get<{ growth: number | null }>(
    `select sum(f.baseline_count - (
       select r.count from ratings r where r.feed_id = f.id and r.observed_at <= ?3
       order by r.observed_at desc limit 1)) as growth
     from feeds f where f.store = ?1 and f.app_id = ?2 and f.kind = 'rating'
       and f.market in (select value from json_each(?4))`,
    store,
    appId,
    msOf(since),
    JSON.stringify(storefronts),
  )
  return row?.growth ?? null
}
