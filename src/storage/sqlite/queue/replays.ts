import type { NewReplay, Replay, ReplayStatus } from '../../port/dead-letters.ts'
import {
  createdReplay,
  type DueReplay,
  filterOf,
  filterText,
  REPLAY_COLUMNS,
  type ReplayRow,
  type ReplayStorage,
  replayOf,
  replayStep,
} from '../../queue/replay-rows.ts'
import { checkRoom } from '../../tables/people/account-limits.ts'
import { ENDED_AT } from '../../tables/queue/delivery-where.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { replayWhere, requeue, tablesOf } from './dead-letter-rows.ts'

/** Replays in one step, which takes about 50 ms at most. The others stay due. */
const REPLAYS_PER_STEP = 20

export function replayStorage(db: Connection): ReplayStorage {
  return {
    createReplays: async (replays, openMax) =>
      db.transaction(() =>
        replays.map((replay) => {
          if (openMax !== undefined) checkRoom('replays', countOpen(db, replay.accountId), openMax)
          return insert(db, replay)
        }),
      ),

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

    advanceReplays: async (now, expireAfterMs) =>
      db.transaction(() =>
        db
          .all<DueReplay>(SELECT_DUE_REPLAYS, msOf(now), REPLAYS_PER_STEP)
          .reduce((queued, replay) => queued + advance(db, replay, now, expireAfterMs), 0),
      ),
  }
}

const WITH_HOOKS = 'join hooks h on h.id = d.hook_id'

const SELECT_DUE_REPLAYS = `select id, account_id, filter, seq_max, cursor, rate_per_second, created_at
  from replays where status = 'running' and next_at <= ? order by next_at limit ?`

function countOpen(db: Connection, accountId: string): number {
  const row = db.get<{ count: number }>(
    `select count(*) as count from replays where account_id = ? and status in ('running', 'paused')`,
    accountId,
  )
  return row?.count ?? 0
}

function insert(db: Connection, replay: NewReplay): Replay {
  const where = replayWhere(replay.accountId, replay.filter)
  const found = db.get<{ total: number; seq_min: number | null; seq_max: number | null }>(
    `select count(*) as total, min(${where.by}.seq) as seq_min, max(${where.by}.seq) as seq_max from ${tablesOf(where)} ${WITH_HOOKS} where ${where.sql}`,
    ...where.values,
  )
  const total = found?.total ?? 0
  db.run(
    `insert into replays
       (id, account_id, filter, status, total, queued, seq_max, cursor, rate_per_second, next_at, created_at)
     values (?1, ?2, ?3, 'running', ?4, 0, ?5, ?6, ?7, ?8, ?8)`,
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

function find(db: Connection, accountId: string | null, id: string): Replay | null {
  const row = db.get<ReplayRow>(
    `select ${REPLAY_COLUMNS} from replays p where p.id = ?1 and (?2 is null or p.account_id = ?2)`,
    id,
    accountId,
  )
  return row === undefined ? null : replayOf(row)
}

/** Deliveries that ended after the replay was created are not part of it, including those that it queued itself. */
function advance(db: Connection, replay: DueReplay, now: Date, expireAfterMs: number): number {
  const { letters, waitMs } = replayStep(replay.rate_per_second)
  const where = replayWhere(replay.account_id, filterOf(replay.filter))
  const place = where.values.length
  const seqs = db
    .all<{ seq: number }>(
      `select d.seq from ${tablesOf(where)} ${WITH_HOOKS}
       where ${where.sql} and ${where.by}.seq > ?${place + 1} and ${where.by}.seq <= ?${place + 2} and ${ENDED_AT} <= ?${place + 3}
       order by ${where.by}.seq limit ?${place + 4}`,
      ...where.values,
      replay.cursor,
      replay.seq_max,
      replay.created_at,
      letters,
    )
    .map(({ seq }) => seq)
  requeue(db, seqs, replay.id, now, expireAfterMs)
  const status: ReplayStatus = seqs.length < letters ? 'done' : 'running'
  db.run(
    `update replays set queued = queued + ?1, cursor = ?2, status = ?3, next_at = iif(?3 = 'done', null, ?4),
       finished_at = iif(?3 = 'done', ?5, null) where id = ?6`,
    seqs.length,
    seqs.at(-1) ?? replay.cursor,
    status,
    msOf(now) + waitMs,
    msOf(now),
    replay.id,
  )
  return seqs.length
}
