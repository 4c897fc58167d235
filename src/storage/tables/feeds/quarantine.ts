import type { FeedSources } from '../../../model/feed.ts'
import type { AppKey } from '../../../model/hook.ts'
import { type MalformedRow, QUARANTINED_ROWS_MAX, type QuarantinedRow } from '../../../model/malformed-row.ts'
import { fingerprintOf, type Review } from '../../../model/review.ts'
import type { Store, Storefront } from '../../../model/vocabulary.ts'
import { columns, instant, integer, named, sha256, text, word } from '../../columns.ts'
import type { KnownMalformedRow, Poll, SourceFindings } from '../../port/feeds.ts'
import { bytesOf, msOf } from '../../values.ts'
import { get, run, sql, type Work } from '../../work.ts'
import { erasedAmong } from './erasures.ts'
import { SOURCE_COLUMNS, sourceValues } from './feed-rows.ts'

const SET_SOURCES = SOURCE_COLUMNS.map((column, at) => `${column} = ?${at + 2}`).join(', ')

export function storeSources(feedId: number, sources: FeedSources): Work<number> {
  return run(`update feeds set ${SET_SOURCES} where id = ?1`, feedId, ...sourceValues(sources))
}

const DELETE_VALID = sql(
  (d) => `delete from quarantined_rows where feed_id = ?1 and row_key ${d.among('?2', 'text')}`,
)

const ANY_OF_FEED = 'select 1 from quarantined_rows where feed_id = ?1 limit 1'

const QUARANTINE = `insert into quarantined_rows as q
    (feed_id, row_key, reason, raw, raw_hash, first_seen_at, last_seen_at, changed_at, checked_at)
  select cast(?1 as integer), cast(?2 as text), cast(?3 as text), cast(?4 as text), ?5, cast(?6 as bigint), cast(?6 as bigint),
    cast(?6 as bigint), cast(?6 as bigint)
  where exists (select 1 from quarantined_rows where feed_id = ?1 and row_key = ?2)
    or (select count(*) from quarantined_rows where feed_id = ?1) < ${QUARANTINED_ROWS_MAX}
  on conflict (feed_id, row_key) do update set reason = excluded.reason, raw = excluded.raw,
    last_seen_at = excluded.last_seen_at, checked_at = excluded.checked_at,
    changed_at = case when q.raw_hash = excluded.raw_hash then q.changed_at else excluded.changed_at end,
    raw_hash = excluded.raw_hash`

/** Part of `FeedStorage.commitReviews`, which locked the feed: updates the quarantine with fetched and malformed rows. */
export function* quarantine(
  { feedId, polledAt }: Poll,
  app: AppKey,
  fetched: readonly Review[],
  { malformed, searchedAll }: SourceFindings,
): Work<void> {
  // Most feeds never had such a row, and every poll is here.
  if (malformed.length === 0 && (yield* get(ANY_OF_FEED, feedId)) === undefined) return
  yield* run(
    DELETE_VALID,
    feedId,
    fetched.map(({ reviewId }) => reviewId),
  )
  for (const { rowKey, reason, raw, rawHash } of yield* withoutErasedTexts(app, malformed))
    yield* run(QUARANTINE, feedId, rowKey, reason, raw, bytesOf(rawHash), msOf(polledAt))
  if (searchedAll)
    yield* run('update quarantined_rows set checked_at = ?1 where feed_id = ?2', msOf(polledAt), feedId)
}

/** The row of an erased review stays known and counted. */
function* withoutErasedTexts(app: AppKey, rows: readonly MalformedRow[]): Work<readonly MalformedRow[]> {
  const { store, appId } = app
  const reviews = rows.map(({ rowKey: reviewId }) => ({
    ...{ store, appId, reviewId, fingerprint: fingerprintOf(store, appId, reviewId) },
  }))
  const erased = yield* erasedAmong(reviews)
  return rows.map((row) => (erased.has(fingerprintOf(store, appId, row.rowKey)) ? { ...row, raw: '' } : row))
}

const KNOWN = columns({ rowKey: text, rawHash: sha256, checkedAt: instant })

export function knownMalformedRows(feedId: number): Work<KnownMalformedRow[]> {
  return KNOWN.all('from quarantined_rows where feed_id = ?1', feedId)
}

const QUARANTINED = columns(
  {
    feedId: integer,
    store: named('f.store', word<Store>()),
    appId: named('f.app_id', text),
    market: named('f.market', text),
    rowKey: text,
    reason: text,
    raw: text,
    rawHash: sha256,
    firstSeenAt: instant,
    lastSeenAt: instant,
    changedAt: instant,
  },
  'q',
)

export function quarantined(limit: number): Work<QuarantinedRow[]> {
  return QUARANTINED.all(
    `from quarantined_rows q join feeds f on f.id = q.feed_id
     order by q.last_seen_at desc, q.feed_id, q.row_key limit ?1`,
    limit,
  )
}

const GROWTH = sql(
  (d) => `select cast(sum(f.baseline_count - (
      select r.count from ratings r where r.feed_id = f.id and r.observed_at <= ?3
      order by r.observed_at desc limit 1)) as bigint) as growth
    from feeds f where f.store = ?1 and f.app_id = ?2 and f.kind = 'rating' and f.market ${d.among('?4', 'text')}`,
)

export function* ratingsGrowth(
  { store, appId }: AppKey,
  storefronts: readonly Storefront[],
  since: Date,
): Work<number | null> {
  const row = yield* get<{ growth: number | null }>(GROWTH, store, appId, msOf(since), storefronts)
  return row?.growth ?? null
}
