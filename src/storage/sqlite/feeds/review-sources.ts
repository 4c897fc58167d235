import { publicMarketOf } from '../../../model/market.ts'
import { linkableOf } from '../../../model/review-link.ts'
import type { Store } from '../../../model/vocabulary.ts'
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
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'
import { updatePollSet } from './coverage.ts'
import { contentHashesOf, insertReviewOccurrences, upsertReviews } from './reviews.ts'
import { seenInApp } from './seen.ts'

export const DUE_SOURCES = `select ${SOURCE_COLUMNS}, c.kind, c.credentials
  from review_sources s join store_connections c on c.id = s.connection_id
  where s.next_poll_at <= ?1 and ${IS_NEEDED}
  order by s.next_poll_at, s.id limit ?2`

const PUBLIC_UNTIL = publicUntilQuery((index) => `?${index}`)

export function reviewSourceStorage(db: Connection): ReviewSourceStorage {
  return {
    use: async (accountId, { store, appId }, connectionId, now) =>
      db.transaction(() => {
        const isOwn = db.get(
          'select 1 from store_connections where id = ? and account_id = ?',
          connectionId,
          accountId,
        )
        if (isOwn === undefined) return false
        db.run(
          `insert into review_sources (account_id, store, app_id, state, connection_id, changed_at, next_poll_at)
           values (?1, ?2, ?3, 'switching', ?4, ?5, 0)
           on conflict (account_id, store, app_id) do update set connection_id = excluded.connection_id, next_poll_at = 0,
             lease = null, failures = 0, failing_since = null, problem = null,
             changed_at = iif(state = 'official', changed_at, excluded.changed_at),
             state = iif(state = 'official', 'official', 'switching')`,
          accountId,
          store,
          appId,
          connectionId,
          msOf(now),
        )
        return true
      }),

    leave: async (accountId, app, now) =>
      db.transaction(() => {
        const row = db.get<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s
           where s.account_id = ? and s.store = ? and s.app_id = ? and s.state <> 'public'`,
          accountId,
          app.store,
          app.appId,
        )
        if (row === undefined) return false
        leaveSource(db, row, msOf(now))
        return true
      }),

    list: async (accountId) =>
      db
        .all<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s where s.account_id = ? order by s.store, s.app_id`,
          accountId,
        )
        .map(sourceOf),

    stale: async (store, before) =>
      db
        .all<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s
           where s.store = ?1 and ${withoutGoodPollSince('?2')} order by s.id`,
          store,
          msOf(before),
        )
        .map(sourceOf),

    claim: async ({ now, lease, leaseMs, limit }) => {
      if (db.get('select 1 from review_sources where next_poll_at <= ? limit 1', msOf(now)) === undefined)
        return []
      return db.transaction(() =>
        db.all<ClaimedRow>(DUE_SOURCES, msOf(now), limit).map((row) => {
          db.run(
            'update review_sources set next_poll_at = ?, lease = ? where id = ?',
            msOf(now) + leaseMs,
            lease,
            row.id,
          )
          return leasedSourceOf(row, lease)
        }),
      )
    },

    known: async (sourceId, fingerprints) => {
      const seen = seenBy(db, sourceId, fingerprints)
      const hashes = contentHashesOf(db, fingerprints)
      return new Map([...seen].map((fingerprint) => [fingerprint, hashes.get(fingerprint) ?? null]))
    },

    commit: async (poll, fetched, pagingIncomplete, enrichment, decide) =>
      db.transaction(() => {
        const row = leased(db, poll.sourceId, poll.lease)
        if (row === undefined) return false
        const isChange = row.state === 'switching'
        const publicSeq = isChange ? lastSeq(db) : (row.public_seq ?? 0)
        const publicUntil = isChange
          ? publicUntilOf(db.get<PublicUntilRow>(PUBLIC_UNTIL, row.store, row.app_id, row.account_id))
          : row.public_until
        const known = { ...knownOf(db, row, fetched), publicUntil: dateOrNull(publicUntil) }
        const { seen, toStore, occurrences } = decide(known)
        for (const { key, reviewId } of seenRowsOf(seen)) {
          db.run(
            `insert into official_seen (source_id, review_key, review_id, public_seq) values (?, ?, ?, ?)
             on conflict do nothing`,
            row.id,
            key,
            reviewId,
            publicSeq,
          )
        }
        storeShownReplies(db, row, fetched, msOf(poll.polledAt))
        upsertReviews(db, toStore, known.contentHashes, poll, enrichment)
        for (const market of new Set(toStore.map((review) => publicMarketOf(review.market)))) {
          db.run(
            `insert into imports (account_id, store, app_id, market, imported_at) values (?, ?, ?, ?, ?)
             on conflict (account_id, store, app_id, market) do nothing`,
            row.account_id,
            row.store,
            row.app_id,
            market,
            msOf(poll.polledAt),
          )
        }
        if (isChange) {
          db.run(
            `update review_sources set state = 'official', changed_at = ?1, public_until = ?2,
               public_seq = ?3, first_public_seq = coalesce(first_public_seq, ?3) where id = ?4`,
            msOf(poll.polledAt),
            publicUntil,
            publicSeq,
            row.id,
          )
          updatePollSet(db, { store: row.store, appId: row.app_id })
        }
        insertReviewOccurrences(db, occurrences, poll, enrichment)
        db.run(
          `update review_sources set next_poll_at = ?1, lease = null, failures = 0, failing_since = null, problem = null,
             last_polled_at = ?2, last_ok_at = ?2, walk_incomplete = ?3 where id = ?4`,
          msOf(poll.nextPollAt),
          msOf(poll.polledAt),
          flagOf(pagingIncomplete),
          row.id,
        )
        return true
      }),

    fail: async (poll, problem) => {
      db.run(
        `update review_sources set next_poll_at = ?1, lease = null, failures = failures + 1, last_polled_at = ?2,
           failing_since = coalesce(failing_since, ?2), problem = ?3 where id = ?4 and lease = ?5`,
        msOf(poll.nextPollAt),
        msOf(poll.polledAt),
        problem,
        poll.sourceId,
        poll.lease,
      )
    },
  }
}

/** Changes a source back to the public pages. Call it inside a transaction. */
export function leaveSource(db: Connection, row: SourceRow, nowMs: number): void {
  db.run(
    `update review_sources set state = 'public', connection_id = null, changed_at = ?, next_poll_at = null, lease = null,
       failures = 0, failing_since = null, problem = null where id = ?`,
    nowMs,
    row.id,
  )
  updatePollSet(db, { store: row.store, appId: row.app_id })
  if (row.state !== 'official') return
  const aheadMs = db.get<{ ahead_ms: number }>(CLOCK_AHEAD)?.ahead_ms ?? 0
  // Another account may have got public reviews that the official source did not show yet: fan-out decides again.
  db.run(
    `update occurrences set ready_at = ?1 where event_type = 'review.created' and store = ?2 and app_id = ?3
       and ready_at is null and market not like '%~%' and seq > ?4 and occurred_at >= ?5
       and exists (select 1 from reviews r where r.seq = occurrences.review_seq)`,
    nowMs,
    row.store,
    row.app_id,
    row.public_seq ?? 0,
    unshownSinceMs(row, aheadMs),
  )
}

/** An answer belongs to the official review, and to the public one that the account sees instead. */
function storeShownReplies(
  db: Connection,
  row: SourceRow,
  fetched: readonly OfficialReview[],
  nowMs: number,
): void {
  for (const { review, publicFingerprints, replyText } of fetched) {
    if (replyText === null) continue
    for (const fingerprint of [review.fingerprint, ...publicFingerprints]) {
      runSync(
        db,
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

function leased(db: Connection, id: number, lease: string): SourceRow | undefined {
  return db.get<SourceRow>(
    `select ${SOURCE_COLUMNS} from review_sources s where s.id = ? and s.lease = ?`,
    id,
    lease,
  )
}

export function knownOf(
  db: Connection,
  row: SourceRow,
  fetched: readonly OfficialReview[],
): Omit<KnownOfficial, 'publicUntil'> {
  const fingerprints = fetched.map(({ review }) => review.fingerprint)
  const app: { store: Store; appId: string } = { store: row.store, appId: row.app_id }
  const publicSeq = row.state === 'switching' ? NO_PUBLIC_SEQ : (row.public_seq ?? 0)
  const forwardFrom = db.get<{ at: number | null }>(
    `select min(w.created_at) as at from watches w join hooks h on h.id = w.hook_id
     where w.account_id = ? and w.store = ? and w.app_id = ? and w.event_type = 'review.created'
       and h.status <> 'gone' and h.deleted_at is null`,
    row.account_id,
    row.store,
    row.app_id,
  )
  const publicReviews = db
    .all<ReviewRow>(
      `select ${REVIEW_COLUMNS} from reviews r where r.store = ? and r.app_id = ? and r.market not like '%~%'
         and not ${shownOnlySince('r.fingerprint', '?3')}
       order by r.occurred_at desc limit ${PUBLIC_REVIEWS_MAX}`,
      row.store,
      row.app_id,
      publicSeq,
    )
    .map((each) => linkableOf(reviewOf(each)))
  const linked = seenBy(
    db,
    row.id,
    publicReviews.map(({ key }) => key),
  )
  return {
    seen: seenBy(db, row.id, fingerprints),
    contentHashes: contentHashesOf(db, fingerprints),
    forwardFrom: dateOrNull(forwardFrom?.at ?? null),
    publicSeen: shownBefore(
      db,
      seenInApp(
        db,
        app,
        fetched.flatMap(({ publicFingerprints }) => publicFingerprints),
      ),
      publicSeq,
    ),
    // One to one: another review is linked to the others already.
    publicReviews: publicReviews.filter(({ key }) => !linked.has(key)),
    isPublicPolled: isPublicPolled(db, row),
    changedAt: row.state === 'switching' ? null : new Date(row.changed_at),
  }
}

/** Without those that the public pages showed only to other accounts, after the change. */
function shownBefore(
  db: Connection,
  fingerprints: ReadonlySet<string>,
  publicSeq: number,
): ReadonlySet<string> {
  const later = db.all<{ fingerprint: string }>(
    `select j.value as fingerprint from json_each(?1) j where ${shownOnlySince('unhex(j.value)', '?2')}`,
    JSON.stringify([...fingerprints]),
    publicSeq,
  )
  return fingerprints.difference(new Set(later.map(({ fingerprint }) => fingerprint)))
}

/** Whether another account still needs the public reviews of the app. */
function isPublicPolled(db: Connection, row: SourceRow): boolean {
  return (
    db.get(
      `select 1 from feeds f join feed_accounts a on a.feed_id = f.id
       where f.store = ?1 and f.app_id = ?2 and f.kind = 'reviews' and (a.account_id <> ?3 or exists (
         select 1 from watches w where w.account_id = ?3 and w.store = ?1 and w.app_id = ?2
           and w.event_type = 'reviews.spiked')) limit 1`,
      row.store,
      row.app_id,
      row.account_id,
    ) !== undefined
  )
}

function lastSeq(db: Connection): number {
  return db.get<{ seq: number }>('select coalesce(max(seq), 0) as seq from occurrences')?.seq ?? 0
}

function seenBy(db: Connection, sourceId: number, fingerprints: readonly string[]): Set<string> {
  const rows = db.all<{ review_key: string }>(
    `select review_key from official_seen
     where source_id = ? and review_key in (select value from json_each(?))`,
    sourceId,
    JSON.stringify(fingerprints.map(seenKeyOf)),
  )
  const keys = new Set(rows.map(({ review_key }) => review_key))
  return new Set(fingerprints.filter((fingerprint) => keys.has(seenKeyOf(fingerprint))))
}
