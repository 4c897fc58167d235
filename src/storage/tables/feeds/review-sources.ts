import type { AppKey } from '../../../model/hook.ts'
import { coveredUntilOf } from '../../../model/review-link.ts'
import type { OfficialReview, ReviewSourceStorage } from '../../port/review-sources.ts'
import { dateOf, dateOrNull, flagOf, msOf, msOrNull } from '../../values.ts'
import { type Db, get, lock, notifyWork, run, sql, type Work } from '../../work.ts'
import { upsertShown } from '../queue/replies.ts'
import { lockFeedsOf, updatePollSet } from './coverage.ts'
import { erasedAmong } from './erasures.ts'
import { knownOfficial, recordMarkets, recordOfficial, seenBy } from './official-reviews.ts'
import { contentHashesOf, insertReviewOccurrences, upsertReviews } from './reviews.ts'
import {
  clockAheadMs,
  IS_NEEDED,
  LEASED_SOURCE,
  SOURCE,
  SOURCE_VIEW,
  type StoredSource,
  unshownSinceMs,
  withoutGoodPollSince,
} from './source-columns.ts'

export function reviewSourceStorage(db: Db): ReviewSourceStorage {
  return {
    use: (accountId, { store, appId }, connectionId, now) =>
      db.transaction(function* () {
        const own = 'select 1 from store_connections where id = ?1 and account_id = ?2'
        // Keeps the connection until the commit.
        yield* lock(`${own} for share`, connectionId, accountId)
        if ((yield* get(own, connectionId, accountId)) === undefined) return false
        yield* run(USE, accountId, store, appId, connectionId, msOf(now))
        return true
      }),

    leave: (accountId, app, now) =>
      db.transaction(function* () {
        yield* lockFeedsOf([app])
        const source = yield* SOURCE.find(USED, accountId, app.store, app.appId)
        if (source === null) return false
        yield* leaveSource(source, now)
        return true
      }),

    list: (accountId) =>
      db.alone(
        SOURCE_VIEW.all(
          'from review_sources s where s.account_id = ?1 order by s.store, s.app_id',
          accountId,
        ),
      ),

    stale: (store, before, accountId) =>
      db.alone(
        SOURCE_VIEW.all(
          `from review_sources s where s.store = ?1 and ${withoutGoodPollSince('?2')}
            and s.account_id = coalesce(?3, s.account_id) order by s.id`,
          ...[store, msOf(before), accountId],
        ),
      ),

    async claim({ now, lease, leaseMs, limit }) {
      const due = get('select 1 from review_sources where next_poll_at <= ?1 limit 1', msOf(now))
      const claimed = await db.transactionFor(
        () => due,
        function* () {
          const sources = yield* LEASED_SOURCE.all(DUE, msOf(now), limit)
          const ids = sources.map(({ id }) => id)
          yield* run(LEASE, msOf(now) + leaseMs, lease, ids)
          return sources.map((source) => ({ ...source, lease }))
        },
      )
      return claimed ?? []
    },

    known: (sourceId, fingerprints) =>
      db.snapshot(function* () {
        const seen = yield* seenBy(sourceId, fingerprints)
        const hashes = yield* contentHashesOf(fingerprints)
        return new Map([...seen].map((fingerprint) => [fingerprint, hashes.get(fingerprint) ?? null]))
      }),

    commit: (...given) => db.transaction(() => commit(...given)),

    async fail({ sourceId, lease, nextPollAt, polledAt }, problem) {
      await db.alone(
        run(
          `update review_sources set next_poll_at = ?1, lease = null, failures = failures + 1, last_polled_at = ?2,
             failing_since = coalesce(failing_since, ?2), problem = ?3 where id = ?4 and lease = ?5`,
          ...[msOf(nextPollAt), msOf(polledAt), problem, sourceId, lease],
        ),
      )
    },
  }
}

const USE = `insert into review_sources as s (account_id, store, app_id, state, connection_id, changed_at, next_poll_at)
  values (?1, ?2, ?3, 'switching', ?4, ?5, 0)
  on conflict (account_id, store, app_id) do update set connection_id = excluded.connection_id, next_poll_at = 0,
    lease = null, failures = 0, failing_since = null, problem = null,
    changed_at = case when s.state = 'official' then s.changed_at else excluded.changed_at end,
    state = case when s.state = 'official' then 'official' else 'switching' end`

const USED = sql(
  (d) => `from review_sources s
    where s.account_id = ?1 and s.store = ?2 and s.app_id = ?3 and s.state <> 'public' ${d.forUpdate()}`,
)

const DUE = sql(
  (d) => `from review_sources s join store_connections c on c.id = s.connection_id
    where s.next_poll_at <= ?1 and ${IS_NEEDED}
    order by s.next_poll_at, s.id limit ?2 ${d.forUpdate('of s skip locked')}`,
)

const LEASE = sql(
  (d) => `update review_sources set next_poll_at = ?1, lease = ?2 where id ${d.among('?3', 'integer')}`,
)

const LEASED = sql((d) => `from review_sources s where s.id = ?1 and s.lease = ?2 ${d.forUpdate()}`)

/** The app of a source that is to be locked. */
export function* appOf(sourceId: number): Work<AppKey | null> {
  const app = 'from review_sources s where s.id = ?1'
  return yield* SOURCE.find(app, sourceId)
}

function* commit(
  ...[poll, fetched, pagingIncomplete, enrichment, decide]: Parameters<ReviewSourceStorage['commit']>
): Work<boolean> {
  const app = yield* appOf(poll.sourceId)
  if (app === null) return false
  // No public poll of the app commits between this one's reads and its commit. Locks are taken in the order of `updatePollSet`.
  yield* lockFeedsOf([app])
  const source = yield* SOURCE.find(LEASED, poll.sourceId, poll.lease)
  if (source === null) return false
  const isChange = source.state === 'switching'
  const publicSeq = isChange ? yield* lastSeq() : (source.publicSeq ?? 0)
  const publicUntil = isChange ? yield* publicUntilOf(source) : source.publicUntil
  const known = { ...(yield* knownOfficial(source, fetched)), publicUntil }
  const { seen, toStore, occurrences } = decide(known)
  yield* recordOfficial(source.id, seen, publicSeq)
  yield* storeShownReplies(source, fetched, poll.polledAt)
  yield* upsertReviews(toStore, known.contentHashes, poll, enrichment)
  yield* recordMarkets(source, toStore, poll.polledAt)
  if (isChange) {
    yield* run(
      `update review_sources set state = 'official', changed_at = ?1, public_until = ?2,
         public_seq = ?3, first_public_seq = coalesce(first_public_seq, ?3) where id = ?4`,
      ...[msOf(poll.polledAt), msOrNull(publicUntil), publicSeq, source.id],
    )
    yield* updatePollSet([source])
  }
  yield* insertReviewOccurrences(occurrences, poll, enrichment, null)
  yield* run(
    `update review_sources set next_poll_at = ?1, lease = null, failures = 0, failing_since = null, problem = null,
       last_polled_at = ?2, last_ok_at = ?2, walk_incomplete = ?3 where id = ?4`,
    ...[msOf(poll.nextPollAt), msOf(poll.polledAt), flagOf(pagingIncomplete), source.id],
  )
  return true
}

/** Until when the public pages were read, by the oldest last good poll of the account's feeds; null if they were not. */
function* publicUntilOf({ store, appId, accountId }: StoredSource): Work<Date | null> {
  const row = yield* get<{ ok_at: number | null; newest_at: number | null }>(
    `select min(f.last_ok_at) as ok_at, (
       select r.occurred_at from reviews r where r.store = ?1 and r.app_id = ?2 and r.market not like '%~%'
       order by r.occurred_at desc limit 1) as newest_at
     from feeds f join feed_accounts a on a.feed_id = f.id
     where f.store = ?1 and f.app_id = ?2 and f.kind = 'reviews' and a.account_id = ?3`,
    ...[store, appId, accountId],
  )
  if (row === undefined || row.ok_at === null) return null
  return coveredUntilOf(dateOf(row.ok_at), yield* clockAheadMs(), dateOrNull(row.newest_at))
}

function* lastSeq(): Work<number> {
  return (yield* get<{ seq: number }>('select coalesce(max(seq), 0) as seq from occurrences'))?.seq ?? 0
}

/** An answer belongs to the official review, and to the public one that the account sees instead. */
function* storeShownReplies(
  { accountId, store, appId, connectionId }: StoredSource,
  fetched: readonly OfficialReview[],
  now: Date,
): Work<void> {
  const erased = yield* erasedAmong(fetched.map(({ review }) => review))
  for (const { review, publicFingerprints, replyText: text } of fetched) {
    if (text === null || erased.has(review.fingerprint)) continue
    const { reviewId } = review
    for (const fingerprint of [review.fingerprint, ...publicFingerprints])
      yield* upsertShown(
        {
          ...{ accountId, fingerprint, store, appId, reviewId, connectionId, text },
          // The official review is stored after its answer.
          contentHash: fingerprint === review.fingerprint ? review.contentHash : null,
        },
        now,
      )
  }
}

/** Sources of a connection change back to the public pages. */
export function* leaveSourcesOf(connectionId: string, accountId: string, now: Date): Work<void> {
  const ofConnection = 'from review_sources s where s.connection_id = ?1 and s.account_id = ?2 order by s.id'
  yield* lockFeedsOf(yield* SOURCE.all(ofConnection, connectionId, accountId))
  const locked = sql((d) => `${ofConnection} ${d.forUpdate()}`)
  for (const source of yield* SOURCE.all(locked, connectionId, accountId)) yield* leaveSource(source, now)
}

/** Changes a source back to the public pages. The caller locked the feeds of the app and the row. */
function* leaveSource(source: StoredSource, now: Date): Work<void> {
  const { id, store, appId, state, publicSeq } = source
  yield* run(
    `update review_sources set state = 'public', connection_id = null, changed_at = ?1, next_poll_at = null,
       lease = null, failures = 0, failing_since = null, problem = null where id = ?2`,
    ...[msOf(now), id],
  )
  yield* updatePollSet([source])
  if (state !== 'official') return
  // Another account may have got public reviews that the official source did not show yet: fan-out decides again.
  yield* run(
    `update occurrences set ready_at = ?1 where event_type = 'review.created' and store = ?2 and app_id = ?3
       and ready_at is null and market not like '%~%' and seq > ?4 and occurred_at >= ?5
       and exists (select 1 from reviews r where r.seq = occurrences.review_seq)`,
    ...[msOf(now), store, appId, publicSeq ?? 0, unshownSinceMs(source, yield* clockAheadMs())],
  )
  yield* notifyWork()
}
