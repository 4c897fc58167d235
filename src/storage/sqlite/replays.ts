import type { DeadStorage, Replay, ReplayStatus } from '../port/dead.ts'
import { filterOf, filterText, REPLAY_COLUMNS, type ReplayRow, replayOf, replayStep } from '../replay-rows.ts'
import { msOf } from '../values.ts'
import type { Connection } from './connect.ts'
import { CAN_BE_SENT, deadWhere, putBack, tablesOf } from './dead-letters.ts'

/** Jobs moved in one step; the others' time stays come. Chosen: a step stays within some 50 ms. */
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
export function replayStorage(db: Connection): ReplayStorage {
  return {
    createReplay: async (replay) =>
      db.transaction(() => {
        const where = deadWhere(replay.accountId, replay.filter, [CAN_BE_SENT])
        const found = db.get<{ total: number; seq_max: number | null }>(
          `select count(*) as total, max(d.seq) as seq_max from ${tablesOf(where)} ${WITH_HOOKS} where ${where.sql}`,
          ...where.values,
        )
        db.run(
          `insert into replays
             (id, account_id, filter, status, total, queued, seq_max, cursor, rate_per_second, next_at, created_at)
           values (?1, ?2, ?3, 'running', ?4, 0, ?5, 0, ?6, ?7, ?7)`,
          replay.id,
          replay.accountId,
          filterText(replay.filter),
          found?.total ?? 0,
          found?.seq_max ?? 0,
          replay.ratePerSecond,
          msOf(replay.createdAt),
        )
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

    listReplays: async (accountId, limit) =>
      db
        .all<ReplayRow>(
          `select ${REPLAY_COLUMNS} from replays p where ?1 is null or p.account_id = ?1
           order by p.created_at desc, p.id limit ?2`,
          accountId,
          limit,
        )
        .map(replayOf),

    setReplayStatus: async (accountId, id, status, now) =>
      db.transaction(() => {
        const changed = db.run(
          `update replays set status = ?1, next_at = iif(?1 = 'running', max(coalesce(next_at, ?2), ?2), null),
             finished_at = iif(?1 = 'cancelled', ?2, null)
           where id = ?3 and (?4 is null or account_id = ?4) and status in ('running', 'paused')`,
          status,
          msOf(now),
          id,
          accountId,
        )
        return changed === 0 ? null : find(db, accountId, id)
      }),

    advanceReplays: async (now, giveUpAfterMs) =>
      db.transaction(() =>
        db
          .all<JobRow>(JOBS_WHOSE_TIME_HAS_COME, msOf(now), JOBS_PER_STEP)
          .reduce((queued, job) => queued + advance(db, job, now, giveUpAfterMs), 0),
      ),
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
  from replays where status = 'running' and next_at <= ? order by next_at limit ?`

function find(db: Connection, accountId: string | null, id: string): Replay | null {
  const row = db.get<ReplayRow>(
    `select ${REPLAY_COLUMNS} from replays p where p.id = ?1 and (?2 is null or p.account_id = ?2)`,
    id,
    accountId,
  )
  return row === undefined ? null : replayOf(row)
}

/** Letters that died after the job was made are no part of it, even one that the job itself put back. */
function advance(db: Connection, job: JobRow, now: Date, giveUpAfterMs: number): number {
  const { letters, waitMs } = replayStep(job.rate_per_second)
  const where = deadWhere(job.account_id, filterOf(job.filter), [CAN_BE_SENT])
  const place = where.values.length
  const seqs = db
    .all<{ seq: number }>(
      `select d.seq from ${tablesOf(where)} ${WITH_HOOKS}
       where ${where.sql} and d.seq > ?${place + 1} and d.seq <= ?${place + 2} and d.dead_at <= ?${place + 3}
       order by d.seq limit ?${place + 4}`,
      ...where.values,
      job.cursor,
      job.seq_max,
      job.created_at,
      letters,
    )
    .map(({ seq }) => seq)
  putBack(db, seqs, job.id, now, giveUpAfterMs)
  const status: ReplayStatus = seqs.length < letters ? 'done' : 'running'
  db.run(
    `update replays set queued = queued + ?1, cursor = ?2, status = ?3, next_at = iif(?3 = 'done', null, ?4),
       finished_at = iif(?3 = 'done', ?5, null) where id = ?6`,
    seqs.length,
    seqs.at(-1) ?? job.cursor,
    status,
    msOf(now) + waitMs,
    msOf(now),
    job.id,
  )
  return seqs.length
}
