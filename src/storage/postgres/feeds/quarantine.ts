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
import { bytesOf, msOf } from '../../values.ts'
import type { Queries, Transaction } from '../connect.ts'

export async function storeSources(tx: Transaction, feedId: number, sources: FeedSources): Promise<void> {
  const set = SOURCE_COLUMNS.map((column, at) => `${column} = $${at + 2}`).join(', ')
  await tx.run(`update feeds set ${set} where id = $1`, feedId, ...sourceValues(sources))
}

/** Part of `FeedStorage.commitReviews`: updates the quarantine with fetched and malformed rows. */
export async function quarantine(
  tx: Transaction,
  { feedId, polledAt }: Poll,
  fetched: readonly Review[],
  { malformed, searchedAll }: SourceFindings,
): Promise<void> {
  const atMs = msOf(polledAt)
  await tx.run(
    'delete from quarantined_rows where feed_id = $1 and row_key = any($2::text[])',
    feedId,
    fetched.map(({ reviewId }) => reviewId),
  )
  // The row of the feed is locked, so no other transaction changes its quarantine.
  for (const { rowKey, reason, raw, rawHash } of malformed) {
    await tx.run(
      `insert into quarantined_rows as q (feed_id, row_key, reason, raw, raw_hash, first_seen_at, last_seen_at, changed_at, checked_at)
       select $1::integer, $2::text, $3::text, $4::text, $5::bytea, $6::bigint, $6::bigint, $6::bigint, $6::bigint
       where exists (select 1 from quarantined_rows where feed_id = $1 and row_key = $2)
         or (select count(*) from quarantined_rows where feed_id = $1) < ${QUARANTINED_ROWS_MAX}
       on conflict (feed_id, row_key) do update set reason = excluded.reason, raw = excluded.raw,
         last_seen_at = excluded.last_seen_at, checked_at = excluded.checked_at,
         changed_at = case when q.raw_hash = excluded.raw_hash then q.changed_at else excluded.changed_at end,
         raw_hash = excluded.raw_hash`,
      feedId,
      rowKey,
      reason,
      raw,
      bytesOf(rawHash),
      atMs,
    )
  }
  if (searchedAll)
    await tx.run('update quarantined_rows set checked_at = $1 where feed_id = $2', atMs, feedId)
}

export async function unusual(db: Queries, limit: number): Promise<FeedView[]> {
  const rows = await db.all<FeedViewRow>(
    `select ${FEED_VIEW_COLUMNS} from feeds where id in (
         select id from feeds where frozen_since is not null and next_poll_at is not null
         union
         select id from feeds where fallback_source is not null and next_poll_at is not null)
       order by frozen_since is null, id limit $1`,
    limit,
  )
  return rows.map(feedViewOf)
}

export async function knownMalformedRows(db: Queries, feedId: number): Promise<KnownMalformedRow[]> {
  const rows = await db.all<KnownMalformedRowRow>(
    'select row_key, raw_hash, checked_at from quarantined_rows where feed_id = $1',
    feedId,
  )
  return rows.map(knownMalformedRowOf)
}

export async function quarantined(db: Queries, limit: number): Promise<QuarantinedRow[]> {
  const rows = await db.all<QuarantineRow>(
    `select q.*, f.store, f.app_id, f.market from quarantined_rows q join feeds f on f.id = q.feed_id
     order by q.last_seen_at desc, q.feed_id, q.row_key limit $1`,
    limit,
  )
  return rows.map(quarantinedRowOf)
}

export async function ratingsGrowth(
  db: Queries,
  { store, appId }: { readonly store: Store; readonly appId: string },
  storefronts: readonly Storefront[],
  since: Date,
): Promise<number | null> {
  const row = await db.get<{ growth: number | null }>(
    `select sum(f.baseline_count - (
       select r.count from ratings r where r.feed_id = f.id and r.observed_at <= $3
       order by r.observed_at desc limit 1))::bigint as growth
     from feeds f where f.store = $1 and f.app_id = $2 and f.kind = 'rating' and f.market = any($4::text[])`,
    store,
    appId,
    msOf(since),
    storefronts,
  )
  return row?.growth ?? null
}
