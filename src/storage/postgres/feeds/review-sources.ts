import { publicMarketOf } from '../../../model/market.ts'
import { linkableOf } from '../../../model/review-link.ts'
import type { KnownOfficial, OfficialReview, ReviewSourceStorage } from '../../port/review-sources.ts'
import {
  CLOCK_AHEAD,
  type ClaimedRow,
  IS_NEEDED,
  leasedSourceOf,
  NO_PUBLIC_SEQ,
  PUBLIC_REVIEWS_MAX,
  type PublicUntilRow,
  publicUntilOf,
  publicUntilQuery,
  SOURCE_COLUMNS,
  type SourceRow,
  seenRowsOf,
  shownOnlySince,
  sourceOf,
  unshownSinceMs,
  withoutGoodPollSince,
} from '../../sources/source-rows.ts'
import { REVIEW_COLUMNS, type ReviewRow, reviewOf } from '../../tables/feeds/review-rows.ts'
import { upsertShown } from '../../tables/queue/replies.ts'
import { dateOrNull, flagOf, msOf, seenKeyOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import type { Database, Queries, Transaction } from '../connect.ts'
import { type App, lockFeedsOf, updatePollSet } from './coverage.ts'
import { contentHashesOf, insertReviewOccurrences, upsertReviews } from './reviews.ts'
import { seenInApp } from './seen.ts'

const DUE_SOURCES = `select ${SOURCE_COLUMNS}, c.kind, c.credentials
  from review_sources s join store_connections c on c.id = s.connection_id
  where s.next_poll_at <= $1 and ${IS_NEEDED}
  order by s.next_poll_at, s.id limit $2 for update of s skip locked`

const PUBLIC_UNTIL = publicUntilQuery((index) => `$${index}`)

export function reviewSourceStorage(db: Database): ReviewSourceStorage {
  return {
    use: (accountId, { store, appId }, connectionId, now) =>
      db.transaction(async (tx) => {
        // Differs from sqlite: the lock keeps the connection until the commit.
        const isOwn = await tx.get(
          'select 1 from store_connections where id = $1 and account_id = $2 for share',
          connectionId,
          accountId,
        )
        if (isOwn === undefined) return false
        await tx.run(
          `insert into review_sources as s (account_id, store, app_id, state, connection_id, changed_at, next_poll_at)
           values ($1, $2, $3, 'switching', $4, $5, 0)
           on conflict (account_id, store, app_id) do update set connection_id = excluded.connection_id, next_poll_at = 0,
             lease = null, failures = 0, failing_since = null, problem = null,
             changed_at = case when s.state = 'official' then s.changed_at else excluded.changed_at end,
             state = case when s.state = 'official' then 'official' else 'switching' end`,
          accountId,
          store,
          appId,
          connectionId,
          msOf(now),
        )
        return true
      }),

    leave: (accountId, app, now) =>
      db.transaction(async (tx) => {
        await lockFeedsOf(tx, [app])
        const row = await tx.get<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s
           where s.account_id = $1 and s.store = $2 and s.app_id = $3 and s.state <> 'public' for update`,
          accountId,
          app.store,
          app.appId,
        )
        if (row === undefined) return false
        await leaveSource(tx, row, msOf(now))
        return true
      }),

    list: async (accountId) =>
      (
        await db.all<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s where s.account_id = $1 order by s.store, s.app_id`,
          accountId,
        )
      ).map(sourceOf),

    stale: async (store, before) =>
      (
        await db.all<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s
           where s.store = $1 and ${withoutGoodPollSince('$2')} order by s.id`,
          store,
          msOf(before),
        )
      ).map(sourceOf),

    claim: async ({ now, lease, leaseMs, limit }) => {
      const due = await db.get('select 1 from review_sources where next_poll_at <= $1 limit 1', msOf(now))
      if (due === undefined) return []
      return db.transaction(async (tx) => {
        const rows = await tx.all<ClaimedRow>(DUE_SOURCES, msOf(now), limit)
        await tx.run(
          'update review_sources set next_poll_at = $1, lease = $2 where id = any($3::integer[])',
          msOf(now) + leaseMs,
          lease,
          rows.map(({ id }) => id),
        )
        return rows.map((row) => leasedSourceOf(row, lease))
      })
    },

    known: async (sourceId, fingerprints) => {
      const seen = await seenBy(db, sourceId, fingerprints)
      const hashes = await contentHashesOf(db, fingerprints)
      return new Map([...seen].map((fingerprint) => [fingerprint, hashes.get(fingerprint) ?? null]))
    },

    commit: (poll, fetched, pagingIncomplete, enrichment, decide) =>
      db.transaction(async (tx) => {
        const app = await tx.get<{ store: App['store']; app_id: string }>(
          'select store, app_id from review_sources where id = $1',
          poll.sourceId,
        )
        if (app === undefined) return false
        // Differs from sqlite: no public poll of the app commits between this one's reads and its commit. Locks are
        // taken in the order of `updatePollSet`.
        await lockFeedsOf(tx, [{ store: app.store, appId: app.app_id }])
        const row = await tx.get<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s where s.id = $1 and s.lease = $2 for update`,
          poll.sourceId,
          poll.lease,
        )
        if (row === undefined) return false
        const isChange = row.state === 'switching'
        const publicSeq = isChange ? await lastSeq(tx) : (row.public_seq ?? 0)
        const publicUntil = isChange
          ? publicUntilOf(await tx.get<PublicUntilRow>(PUBLIC_UNTIL, row.store, row.app_id, row.account_id))
          : row.public_until
        const known = { ...(await knownOf(tx, row, fetched)), publicUntil: dateOrNull(publicUntil) }
        const { seen, toStore, occurrences } = decide(known)
        const keys = seenRowsOf(seen)
        await tx.run(
          `insert into official_seen (source_id, review_key, review_id, public_seq)
           select $1, v.*, $4::bigint from unnest($2::text[], $3::text[]) as v on conflict do nothing`,
          row.id,
          keys.map(({ key }) => key),
          keys.map(({ reviewId }) => reviewId),
          publicSeq,
        )
        await storeShownReplies(tx, row, fetched, msOf(poll.polledAt))
        await upsertReviews(tx, toStore, known.contentHashes, poll, enrichment)
        await tx.run(
          `insert into imports (account_id, store, app_id, market, imported_at)
           select $1, $2, $3, v.market, $4::bigint from unnest($5::text[]) as v (market)
           on conflict (account_id, store, app_id, market) do nothing`,
          row.account_id,
          row.store,
          row.app_id,
          msOf(poll.polledAt),
          [...new Set(toStore.map((review) => publicMarketOf(review.market)))],
        )
        if (isChange) {
          await tx.run(
            `update review_sources set state = 'official', changed_at = $1, public_until = $2,
               public_seq = $3, first_public_seq = coalesce(first_public_seq, $3) where id = $4`,
            msOf(poll.polledAt),
            publicUntil,
            publicSeq,
            row.id,
          )
          await updatePollSet(tx, [{ store: row.store, appId: row.app_id }])
        }
        await insertReviewOccurrences(tx, occurrences, poll, enrichment)
        await tx.run(
          `update review_sources set next_poll_at = $1, lease = null, failures = 0, failing_since = null, problem = null,
             last_polled_at = $2, last_ok_at = $2, walk_incomplete = $3 where id = $4`,
          msOf(poll.nextPollAt),
          msOf(poll.polledAt),
          flagOf(pagingIncomplete),
          row.id,
        )
        return true
      }),

    fail: async (poll, problem) => {
      await db.run(
        `update review_sources set next_poll_at = $1, lease = null, failures = failures + 1, last_polled_at = $2,
           failing_since = coalesce(failing_since, $2), problem = $3 where id = $4 and lease = $5`,
        msOf(poll.nextPollAt),
        msOf(poll.polledAt),
        problem,
        poll.sourceId,
        poll.lease,
      )
    },
  }
}

/** Changes a source back to the public pages. The caller locked the feeds of the app and the row. */
export async function leaveSource(tx: Transaction, row: SourceRow, nowMs: number): Promise<void> {
  await tx.run(
    `update review_sources set state = 'public', connection_id = null, changed_at = $1, next_poll_at = null,
       lease = null, failures = 0, failing_since = null, problem = null where id = $2`,
    nowMs,
    row.id,
  )
  await updatePollSet(tx, [{ store: row.store, appId: row.app_id }])
  if (row.state !== 'official') return
  const aheadMs = (await tx.get<{ ahead_ms: number }>(CLOCK_AHEAD))?.ahead_ms ?? 0
  // Another account may have got public reviews that the official source did not show yet: fan-out decides again.
  await tx.run(
    `update occurrences o set ready_at = $1 where event_type = 'review.created' and store = $2 and app_id = $3
       and ready_at is null and market not like '%~%' and seq > $4 and occurred_at >= $5
       and exists (select 1 from reviews r where r.seq = o.review_seq)`,
    nowMs,
    row.store,
    row.app_id,
    row.public_seq ?? 0,
    unshownSinceMs(row, aheadMs),
  )
  tx.notifyWork()
}

/** An answer belongs to the official review, and to the public one that the account sees instead. */
async function storeShownReplies(
  tx: Transaction,
  row: SourceRow,
  fetched: readonly OfficialReview[],
  nowMs: number,
): Promise<void> {
  for (const { review, publicFingerprints, replyText } of fetched) {
    if (replyText === null) continue
    for (const fingerprint of [review.fingerprint, ...publicFingerprints]) {
      await runAsync(
        tx,
        upsertShown(
          {
            accountId: row.account_id,
            fingerprint,
            store: row.store,
            appId: row.app_id,
            reviewId: review.reviewId,
            connectionId: row.connection_id,
            text: replyText,
          },
          new Date(nowMs),
        ),
      )
    }
  }
}

export async function knownOf(
  tx: Transaction,
  row: SourceRow,
  fetched: readonly OfficialReview[],
): Promise<Omit<KnownOfficial, 'publicUntil'>> {
  const fingerprints = fetched.map(({ review }) => review.fingerprint)
  const publicFingerprints = fetched.flatMap((each) => each.publicFingerprints)
  const publicSeq = row.state === 'switching' ? NO_PUBLIC_SEQ : (row.public_seq ?? 0)
  const forwardFrom = await tx.get<{ at: number | null }>(
    `select min(w.created_at) as at from watches w join hooks h on h.id = w.hook_id
     where w.account_id = $1 and w.store = $2 and w.app_id = $3 and w.event_type = 'review.created'
       and h.status <> 'gone' and h.deleted_at is null`,
    row.account_id,
    row.store,
    row.app_id,
  )
  const publicRows = await tx.all<ReviewRow>(
    `select ${REVIEW_COLUMNS} from reviews r where r.store = $1 and r.app_id = $2 and r.market not like '%~%'
       and not ${shownOnlySince('r.fingerprint', '$3::bigint')}
     order by r.occurred_at desc limit ${PUBLIC_REVIEWS_MAX}`,
    row.store,
    row.app_id,
    publicSeq,
  )
  const publicReviews = publicRows.map((each) => linkableOf(reviewOf(each)))
  const linked = await seenBy(
    tx,
    row.id,
    publicReviews.map(({ key }) => key),
  )
  const polledByOthers = await tx.get(
    `select 1 from feeds f join feed_accounts a on a.feed_id = f.id
     where f.store = $1 and f.app_id = $2 and f.kind = 'reviews' and (a.account_id <> $3 or exists (
       select 1 from watches w where w.account_id = $3 and w.store = $1 and w.app_id = $2
         and w.event_type = 'reviews.spiked')) limit 1`,
    row.store,
    row.app_id,
    row.account_id,
  )
  return {
    seen: await seenBy(tx, row.id, fingerprints),
    contentHashes: await contentHashesOf(tx, fingerprints),
    forwardFrom: dateOrNull(forwardFrom?.at ?? null),
    publicSeen: await shownBefore(
      tx,
      await seenInApp(tx, { store: row.store, appId: row.app_id }, publicFingerprints),
      publicSeq,
    ),
    // One to one: another review is linked to the others already.
    publicReviews: publicReviews.filter(({ key }) => !linked.has(key)),
    isPublicPolled: polledByOthers !== undefined,
    changedAt: row.state === 'switching' ? null : new Date(row.changed_at),
  }
}

/** Without those that the public pages showed only to other accounts, after the change. */
async function shownBefore(
  tx: Transaction,
  fingerprints: ReadonlySet<string>,
  publicSeq: number,
): Promise<ReadonlySet<string>> {
  const later = await tx.all<{ fingerprint: string }>(
    `select v.fingerprint from unnest($1::text[]) as v (fingerprint)
     where ${shownOnlySince("decode(v.fingerprint, 'hex')", '$2::bigint')}`,
    [...fingerprints],
    publicSeq,
  )
  return fingerprints.difference(new Set(later.map(({ fingerprint }) => fingerprint)))
}

async function lastSeq(tx: Transaction): Promise<number> {
  const last = await tx.get<{ seq: number }>('select coalesce(max(seq), 0) as seq from occurrences')
  return last?.seq ?? 0
}

async function seenBy(db: Queries, sourceId: number, fingerprints: readonly string[]): Promise<Set<string>> {
  const rows = await db.all<{ review_key: string }>(
    'select review_key from official_seen where source_id = $1 and review_key = any($2::text[])',
    sourceId,
    fingerprints.map(seenKeyOf),
  )
  const keys = new Set(rows.map(({ review_key }) => review_key))
  return new Set(fingerprints.filter((fingerprint) => keys.has(seenKeyOf(fingerprint))))
}
