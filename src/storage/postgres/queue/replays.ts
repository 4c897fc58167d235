import type { NewReplay, Replay, ReplayStatus } from '../../port/dead-letters.ts'
import {
  createdReplay,
  type DueReplay,
  filterOf,
  filterText,
  isRecovery,
  REPLAY_COLUMNS,
  type ReplayRow,
  type ReplayStorage,
  replayOf,
  replayStep,
} from '../../queue/replay-rows.ts'
import { checkRoom, lockAccounts } from '../../tables/people/account-limits.ts'
import { ENDED_AT } from '../../tables/queue/delivery-where.ts'
import { msOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import type { Database, Queries, Transaction } from '../connect.ts'
import { type RequeuePart, replayWhere, requeue, tablesOf } from './dead-letter-rows.ts'

/** Replays in one step, which takes far less than a second. The others stay due. */
const REPLAYS_PER_STEP = 20

export function replayStorage(db: Database): ReplayStorage {
  return {
    createReplays: async (replays, openMax) =>
      db.transaction(async (tx) => {
        if (openMax !== undefined) {
          await runAsync(tx, lockAccounts(replays.map(({ accountId }) => accountId)))
        }
        const created: Replay[] = []
        for (const replay of replays) {
          if (openMax !== undefined) checkRoom('replays', await countOpen(tx, replay.accountId), openMax)
          created.push(await insert(tx, replay))
        }
        tx.notifyWork()
        return created
      }),

    getReplay: async (accountId, id) => find(db, accountId, id),

    listReplays: async (accountId, limit) => {
      const rows = await db.all<ReplayRow>(
        `select ${REPLAY_COLUMNS} from replays p where $1::text is null or p.account_id = $1
         order by p.created_at desc, p.id limit $2`,
        accountId,
        limit,
      )
      return rows.map(replayOf)
    },

    setReplayStatus: async (accountId, id, status, now) =>
      db.transaction(async (tx) => {
        const changed = await tx.run(
          `update replays set status = $1,
             next_at = case $1 when 'running' then greatest(next_at, $2) end,
             finished_at = case $1 when 'cancelled' then $2::bigint end
           where id = $3 and ($4::text is null or account_id = $4) and status in ('running', 'paused')`,
          status,
          msOf(now),
          id,
          accountId,
        )
        if (changed === 0) return null
        tx.notifyWork()
        return find(tx, accountId, id)
      }),

    advanceReplays: async (now, expireAfterMs) =>
      db.transaction(async (tx) => {
        const due = await tx.all<DueReplay>(SELECT_DUE_REPLAYS, msOf(now), REPLAYS_PER_STEP)
        const parts: (RequeuePart & { readonly replay: DueReplay })[] = []
        for (const replay of due) {
          const filter = filterOf(replay.filter)
          const delivered = isRecovery(filter) && filter.delivered
          parts.push({ replay, replayId: replay.id, letters: await deliveriesOf(tx, replay), delivered })
        }
        const counts = await requeue(tx, parts, now, expireAfterMs)
        for (const [index, { replay, letters }] of parts.entries()) {
          await updateReplay(tx, replay, letters, counts[index] ?? 0, now)
        }
        return counts.reduce((sum, count) => sum + count, 0)
      }),
  }
}

const WITH_HOOKS = 'join hooks h on h.id = d.hook_id'

const SELECT_DUE_REPLAYS = `select id, account_id, filter, seq_max, cursor, rate_per_second, created_at
  from replays where status = 'running' and next_at <= $1 order by next_at limit $2 for update skip locked`

async function countOpen(tx: Transaction, accountId: string): Promise<number> {
  const row = await tx.get<{ count: number }>(
    `select count(*) as count from replays where account_id = $1 and status in ('running', 'paused')`,
    accountId,
  )
  return row?.count ?? 0
}

async function insert(tx: Transaction, replay: NewReplay): Promise<Replay> {
  const where = replayWhere(replay.accountId, replay.filter)
  const found = await tx.get<{ total: number; seq_min: number | null; seq_max: number | null }>(
    `select count(*) as total, min(${where.by}.seq) as seq_min, max(${where.by}.seq) as seq_max from ${tablesOf(where)} ${WITH_HOOKS} where ${where.sql}`,
    ...where.values,
  )
  const total = found?.total ?? 0
  await tx.run(
    `insert into replays
       (id, account_id, filter, status, total, queued, seq_max, cursor, rate_per_second, next_at, created_at)
     values ($1, $2, $3, 'running', $4, 0, $5, $6, $7, $8, $8)`,
    replay.id,
    replay.accountId,
    filterText(replay.filter),
    total,
    found?.seq_max ?? 0,
    (found?.seq_min ?? 1) - 1,
    replay.ratePerSecond,
    msOf(replay.createdAt),
  )
  return createdReplay(replay, total)
}

async function find(db: Queries, accountId: string | null, id: string): Promise<Replay | null> {
  const row = await db.get<ReplayRow>(
    `select ${REPLAY_COLUMNS} from replays p where p.id = $1 and ($2::text is null or p.account_id = $2)`,
    id,
    accountId,
  )
  return row === undefined ? null : replayOf(row)
}

/** Deliveries that ended after the replay was created are not part of it, including those that it queued itself. */
async function deliveriesOf(tx: Transaction, replay: DueReplay): Promise<{ seq: number; hook_id: string }[]> {
  const where = replayWhere(replay.account_id, filterOf(replay.filter))
  const place = where.values.length
  return tx.all<{ seq: number; hook_id: string }>(
    `select d.seq, d.hook_id from ${tablesOf(where)} ${WITH_HOOKS}
     where ${where.sql} and ${where.by}.seq > $${place + 1} and ${where.by}.seq <= $${place + 2} and ${ENDED_AT} <= $${place + 3}
     order by ${where.by}.seq limit $${place + 4}`,
    ...where.values,
    replay.cursor,
    replay.seq_max,
    replay.created_at,
    replayStep(replay.rate_per_second).letters,
  )
}

/** Updates a replay after its step. A step below its limit is the last one. */
async function updateReplay(
  tx: Transaction,
  replay: DueReplay,
  found: readonly { readonly seq: number }[],
  queued: number,
  now: Date,
): Promise<void> {
  const { letters, waitMs } = replayStep(replay.rate_per_second)
  const status: ReplayStatus = found.length < letters ? 'done' : 'running'
  await tx.run(
    `update replays set queued = queued + $1, cursor = $2, status = $3,
       next_at = case $3 when 'running' then $4::bigint end, finished_at = case $3 when 'done' then $5::bigint end
     where id = $6`,
    queued,
    found.at(-1)?.seq ?? replay.cursor,
    status,
    msOf(now) + waitMs,
    msOf(now),
    replay.id,
  )
}
