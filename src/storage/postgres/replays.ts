import type { DeadStorage, Replay, ReplayStatus } from '../port/dead.ts'
import { filterOf, filterText, REPLAY_COLUMNS, type ReplayRow, replayOf, replayStep } from '../replay-rows.ts'
import { msOf } from '../values.ts'
import type { Database, Queries, Transaction } from './connect.ts'
import { CAN_BE_SENT, deadWhere, type Letters, putBack, tablesOf } from './dead-letters.ts'

/** Jobs moved in one step; the others' time stays come. Chosen: a step stays well within a second. */
const JOBS_PER_STEP = 20

type ReplayStorage = Pick<
  DeadStorage,
  'createReplay' | 'getReplay' | 'listReplays' | 'setReplayStatus' | 'advanceReplays'
>

/**
 * A bulk replay:
 *
 *   running ──every letter put back──▶ done
 *   running ◀──resume── ──pause──▶ paused      its place is kept
 *   running, paused ──cancel──▶ cancelled      what was put back stays on the queue
 */
export function replayStorage(db: Database): ReplayStorage {
  return {
    createReplay: async (replay) =>
      db.transaction(async (tx) => {
        const where = deadWhere(replay.accountId, replay.filter, [CAN_BE_SENT])
        const found = await tx.get<{ total: number; seq_max: number | null }>(
          `select count(*) as total, max(d.seq) as seq_max from ${tablesOf(where)} ${WITH_HOOKS} where ${where.sql}`,
          ...where.values,
        )
        await tx.run(
          `insert into replays
             (id, account_id, filter, status, total, queued, seq_max, cursor, rate_per_second, next_at, created_at)
           values ($1, $2, $3, 'running', $4, 0, $5, 0, $6, $7, $7)`,
          replay.id,
          replay.accountId,
          filterText(replay.filter),
          found?.total ?? 0,
          found?.seq_max ?? 0,
          replay.ratePerSecond,
          msOf(replay.createdAt),
        )
        tx.madeWork()
        return {
          ...replay,
          status: 'running',
          total: found?.total ?? 0,
          queued: 0,
          delivered: 0,
          deadAgain: 0,
          finishedAt: null,
        }
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
        tx.madeWork()
        return find(tx, accountId, id)
      }),

    advanceReplays: async (now, giveUpAfterMs) =>
      db.transaction(async (tx) => {
        const jobs = await tx.all<JobRow>(JOBS_WHOSE_TIME_HAS_COME, msOf(now), JOBS_PER_STEP)
        const parts: (Letters & { readonly job: JobRow })[] = []
        for (const job of jobs) {
          parts.push({ job, replayId: job.id, letters: await lettersOf(tx, job) })
        }
        const counts = await putBack(tx, parts, now, giveUpAfterMs)
        for (const [index, { job, letters }] of parts.entries()) {
          await moveJob(tx, job, letters, counts[index] ?? 0, now)
        }
        return counts.reduce((sum, count) => sum + count, 0)
      }),
  }
}

const WITH_HOOKS = 'join hooks h on h.id = d.hook_id'

type JobRow = {
  id: string
  account_id: string
  filter: string
  seq_max: number
  cursor: number
  rate_per_second: number
  created_at: number
}

const JOBS_WHOSE_TIME_HAS_COME = `select id, account_id, filter, seq_max, cursor, rate_per_second, created_at
  from replays where status = 'running' and next_at <= $1 order by next_at limit $2 for update skip locked`

async function find(db: Queries, accountId: string | null, id: string): Promise<Replay | null> {
  const row = await db.get<ReplayRow>(
    `select ${REPLAY_COLUMNS} from replays p where p.id = $1 and ($2::text is null or p.account_id = $2)`,
    id,
    accountId,
  )
  return row === undefined ? null : replayOf(row)
}

/** Letters that died after the job was made are no part of it, even one that the job itself put back. */
async function lettersOf(tx: Transaction, job: JobRow): Promise<{ seq: number; hook_id: string }[]> {
  const where = deadWhere(job.account_id, filterOf(job.filter), [CAN_BE_SENT])
  const place = where.values.length
  return tx.all<{ seq: number; hook_id: string }>(
    `select d.seq, d.hook_id from ${tablesOf(where)} ${WITH_HOOKS}
     where ${where.sql} and d.seq > $${place + 1} and d.seq <= $${place + 2} and d.dead_at <= $${place + 3}
     order by d.seq limit $${place + 4}`,
    ...where.values,
    job.cursor,
    job.seq_max,
    job.created_at,
    replayStep(job.rate_per_second).letters,
  )
}

/** After its step. A step that was not full was the last. */
async function moveJob(
  tx: Transaction,
  job: JobRow,
  found: readonly { readonly seq: number }[],
  queued: number,
  now: Date,
): Promise<void> {
  const { letters, waitMs } = replayStep(job.rate_per_second)
  const status: ReplayStatus = found.length < letters ? 'done' : 'running'
  await tx.run(
    `update replays set queued = queued + $1, cursor = $2, status = $3,
       next_at = case $3 when 'running' then $4::bigint end, finished_at = case $3 when 'done' then $5::bigint end
     where id = $6`,
    queued,
    found.at(-1)?.seq ?? job.cursor,
    status,
    msOf(now) + waitMs,
    msOf(now),
    job.id,
  )
}
