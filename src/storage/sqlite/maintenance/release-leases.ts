import { setImmediate } from 'node:timers/promises'
import { recomputeNextClaim } from '../../tables/queue/lanes.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

/** Rows in one commit: about 20 ms, so that a start with a long queue does not block the process. */
const ROWS_PER_COMMIT = 5_000

/** Ends all leases at the start of the only service. Returns their number. */
export async function releaseLeases(db: Connection): Promise<number> {
  const feeds = await releaseFeeds(db)
  const official = await releaseOfficial(db)
  const reviews = await releaseReviews(db)
  return feeds + official + reviews + (await releaseDeliveries(db))
}

async function releaseFeeds(db: Connection): Promise<number> {
  let released = 0
  const { last } = (await db.whenUnlocked(() =>
    db.get<{ last: number | null }>('select max(id) as last from feeds'),
  )) ?? { last: 0 }
  for (let from = 0; from <= (last ?? 0); from += ROWS_PER_COMMIT) {
    released += await db.whenUnlocked(() =>
      db.run(
        `update feeds set next_poll_at = coalesce(claimed_due_at, next_poll_at), claimed_due_at = null, lease = null
         where id > ? and id <= ? and lease is not null`,
        from,
        from + ROWS_PER_COMMIT,
      ),
    )
    await setImmediate()
  }
  return released
}

/** Polls and imports of official sources, and answers. They are due at once: their claims overwrote when they were due. */
async function releaseOfficial(db: Connection): Promise<number> {
  return db.whenUnlocked(() =>
    db.transaction(
      () =>
        db.run('update review_sources set next_poll_at = 0, lease = null where lease is not null') +
        db.run('update review_histories set next_at = 0, lease = null where lease is not null') +
        db.run('update replies set next_at = 0, lease = null where lease is not null'),
    ),
  )
}

async function releaseReviews(db: Connection): Promise<number> {
  let released = 0
  while (true) {
    const count = await db.whenUnlocked(() =>
      db.run(
        `update reviews set enrich_lease = null, enrich_leased_until = null where seq in (
           select seq from reviews where enrich_leased_until is not null limit ?)`,
        ROWS_PER_COMMIT,
      ),
    )
    released += count
    if (count < ROWS_PER_COMMIT) return released
    await setImmediate()
  }
}

/** No index contains the leases of deliveries, so all pending deliveries are read, hook by hook. */
async function releaseDeliveries(db: Connection): Promise<number> {
  let released = 0
  const hooks = await db.whenUnlocked(() => db.all<{ hook_id: string }>('select hook_id from lanes'))
  for (const { hook_id } of hooks) {
    for (const retried of [0, 1] as const) released += await releaseOfLane(db, hook_id, retried)
  }
  return released
}

async function releaseOfLane(db: Connection, hookId: string, retried: 0 | 1): Promise<number> {
  let released = 0
  let last: PendingRow | undefined
  do {
    const rows = await db.whenUnlocked(() =>
      db.all<PendingRow>(
        PENDING_OF_LANE,
        hookId,
        retried,
        last?.due_at ?? -1,
        last?.seq ?? 0,
        ROWS_PER_COMMIT,
      ),
    )
    const seqs = rows.filter(({ leased }) => leased === 1).map(({ seq }) => seq)
    if (seqs.length > 0) {
      await db.whenUnlocked(() =>
        db.transaction(() => {
          db.run(
            'update deliveries set lease = null, leased_until = null where seq in (select value from json_each(?))',
            JSON.stringify(seqs),
          )
          runSync(db, recomputeNextClaim(hookId))
        }),
      )
    }
    await setImmediate()
    released += seqs.length
    last = rows.length < ROWS_PER_COMMIT ? undefined : rows.at(-1)
  } while (last !== undefined)
  return released
}

type PendingRow = { readonly seq: number; readonly due_at: number; readonly leased: 0 | 1 }

/** In the order of deliveries_due. */
const PENDING_OF_LANE = `select seq, due_at, lease is not null as leased from deliveries
  where hook_id = ?1 and status = 'pending' and (attempts > 0) = ?2 and (due_at, seq) > (?3, ?4)
  order by due_at, seq limit ?5`
