import { type Column, columns, instant, integer, named, nullable, real, text, word } from '../../columns.ts'
import type {
  DeadFilter,
  DeadLetterStorage,
  NewReplay,
  RecoveryFilter,
  Replay,
  ReplayFilter,
  ReplayStatus,
} from '../../port/dead-letters.ts'
import { dateOf, msOf, parsed } from '../../values.ts'
import { all, type Db, get, notifyWork, run, sql, type Work } from '../../work.ts'
import { checkRoom, lockAccounts } from '../people/account-limits.ts'
import {
  type DeliveryWhere,
  deadLetterWhere,
  ENDED_AT,
  IS_SENDABLE,
  isEnded,
  recoveryWhere,
  tablesOf,
} from './delivery-where.ts'
import { advanceNextClaims, lockLanes } from './lanes.ts'

/**
 * A bulk replay:
 *
 *   running ──everything queued──▶ done
 *   running ◀──resume── ──pause──▶ paused      its position is stored
 *   running, paused ──cancel──▶ cancelled      queued deliveries stay on the queue
 */
type ReplayStorage = Pick<
  DeadLetterStorage,
  'createReplays' | 'getReplay' | 'listReplays' | 'setReplayStatus' | 'advanceReplays'
>

type StoredFilter = Omit<DeadFilter, 'since' | 'until'> & { since?: number; until?: number }
type StoredRecovery = Omit<RecoveryFilter, 'recoverSince'> & { recoverSince: number }

/** JSON, with instants in milliseconds. */
const filter: Column<ReplayFilter> = {
  read: (json) => {
    const stored = parsed<StoredFilter | StoredRecovery>(String(json))
    if ('recoverSince' in stored) return { ...stored, recoverSince: dateOf(stored.recoverSince) }
    const { since, until, ...rest } = stored
    return {
      ...rest,
      ...(since !== undefined && { since: dateOf(since) }),
      ...(until !== undefined && { until: dateOf(until) }),
    }
  },
  store: (given) => {
    if (isRecovery(given)) return JSON.stringify({ ...given, recoverSince: msOf(given.recoverSince) })
    const { since, until, ...rest } = given
    return JSON.stringify({ ...rest, since: since && msOf(since), until: until && msOf(until) })
  },
  type: 'text',
}

/** The letters of this replay with a status. Each read counts the outcomes. */
const countOf = (status: string) =>
  named(`(select count(*) from deliveries where replay_id = p.id and status = '${status}')`, integer)

const REPLAY = columns(
  {
    id: text,
    accountId: text,
    filter,
    status: word<ReplayStatus>(),
    total: integer,
    queued: integer,
    delivered: countOf('delivered'),
    deadAgain: countOf('dead'),
    ratePerSecond: real,
    createdAt: instant,
    finishedAt: nullable(instant),
  },
  'p',
)

const POSITION = columns({
  id: text,
  accountId: text,
  filter,
  ratePerSecond: real,
  createdAt: instant,
  seqMax: integer,
  cursor: integer,
})

const NEW_REPLAY = columns({
  ...POSITION.shape,
  status: word<ReplayStatus>(),
  total: integer,
  queued: integer,
  nextAt: instant,
})

type Position = ReturnType<typeof POSITION.of>

/** Replays in one step, which takes about 50 ms on SQLite at most. The others stay due. */
const REPLAYS_PER_STEP = 20

export function replayStorage(db: Db): ReplayStorage {
  return {
    createReplays: (replays, openMax) =>
      db.transaction(function* () {
        if (openMax !== undefined) yield* lockAccounts(replays.map(({ accountId }) => accountId))
        const created: Replay[] = []
        for (const replay of replays) {
          if (openMax !== undefined) checkRoom('replays', yield* countOpen(replay.accountId), openMax)
          created.push(yield* create(replay))
        }
        yield* notifyWork()
        return created
      }),

    getReplay: (accountId, id) => db.alone(find(accountId, id)),

    listReplays: (accountId, limit) =>
      db.alone(
        REPLAY.all(
          `from replays p where cast(?1 as text) is null or p.account_id = ?1
           order by p.created_at desc, p.id limit ?2`,
          ...[accountId, limit],
        ),
      ),

    setReplayStatus: (accountId, id, status, now) =>
      db.transaction(function* () {
        if ((yield* run(SET_STATUS, status, msOf(now), id, accountId)) === 0) return null
        yield* notifyWork()
        return yield* find(accountId, id)
      }),

    advanceReplays: (now, expireAfterMs) =>
      db.transaction(function* () {
        const parts: (RequeuePart & { readonly replay: Position })[] = []
        for (const replay of yield* POSITION.all(DUE, msOf(now), REPLAYS_PER_STEP)) {
          const delivered = isRecovery(replay.filter) && replay.filter.delivered
          parts.push({ replay, replayId: replay.id, letters: yield* lettersOf(replay), delivered })
        }
        const counts = yield* requeue(parts, now, expireAfterMs)
        for (const [index, { replay, letters }] of parts.entries())
          yield* update(replay, letters, counts[index] ?? 0, now)
        return counts.reduce((sum, count) => sum + count, 0)
      }),
  }
}

const SET_STATUS = sql(
  (d) => `update replays set status = ?1,
      next_at = case ?1 when 'running' then ${d.greatest('coalesce(next_at, ?2)', '?2')} end,
      finished_at = case ?1 when 'cancelled' then cast(?2 as bigint) end
    where id = ?3 and (cast(?4 as text) is null or account_id = ?4) and status in ('running', 'paused')`,
)

/** Running replays whose next step is due. */
const DUE = sql(
  (d) =>
    `from replays where status = 'running' and next_at <= ?1 order by next_at limit ?2 ${d.forUpdate('skip locked')}`,
)

function find(accountId: string | null, id: string): Work<Replay | null> {
  return REPLAY.find(
    'from replays p where p.id = ?1 and (cast(?2 as text) is null or p.account_id = ?2)',
    id,
    accountId,
  )
}

function* countOpen(accountId: string): Work<number> {
  const open = `select count(*) as count from replays where account_id = ?1 and status in ('running', 'paused')`
  return (yield* get<{ count: number }>(open, accountId))?.count ?? 0
}

function* create(replay: NewReplay): Work<Replay> {
  const where = replayWhere(replay)
  const matching = sql(
    (d) => `select count(*) as total, min(${where.by}.seq) as seq_min, max(${where.by}.seq) as seq_max
      from ${d.of(tablesOf(where))} ${WITH_HOOKS} where ${where.sql}`,
  )
  type Found = { total: number; seq_min: number | null; seq_max: number | null }
  const { total, seq_min, seq_max } = (yield* get<Found>(matching, ...where.values)) ?? {
    ...{ total: 0, seq_min: null, seq_max: null },
  }
  const created = { ...replay, status: 'running', total, queued: 0 } as const
  const position = { seqMax: seq_max ?? 0, cursor: (seq_min ?? 1) - 1, nextAt: replay.createdAt }
  yield* NEW_REPLAY.insert('replays', { ...created, ...position })
  return { ...created, delivered: 0, deadAgain: 0, finishedAt: null }
}

const WITH_HOOKS = 'join hooks h on h.id = d.hook_id'

/** The deliveries that a replay sends again. */
function replayWhere({ accountId, filter }: Pick<Replay, 'accountId' | 'filter'>): DeliveryWhere {
  return isRecovery(filter)
    ? recoveryWhere(accountId, filter, [IS_SENDABLE])
    : deadLetterWhere(accountId, filter, [IS_SENDABLE])
}

function isRecovery(filter: ReplayFilter): filter is RecoveryFilter {
  return 'recoverSince' in filter
}

/** Deliveries that ended after the replay was created are not part of it, including those that it queued itself. */
function lettersOf(replay: Position): Work<{ seq: number; hook_id: string }[]> {
  const where = replayWhere(replay)
  const place = where.values.length
  const letters = sql(
    (d) => `select d.seq, d.hook_id from ${d.of(tablesOf(where))} ${WITH_HOOKS}
      where ${where.sql} and ${where.by}.seq > ?${place + 1} and ${where.by}.seq <= ?${place + 2} and ${ENDED_AT} <= ?${place + 3}
      order by ${where.by}.seq limit ?${place + 4}`,
  )
  const { cursor, seqMax, createdAt } = replay
  return all(letters, ...where.values, cursor, seqMax, msOf(createdAt), stepOf(replay).letters)
}

/** A step queues the letters of at most one second of the rate, and at least one. A slower rate lengthens the next wait. */
function stepOf({ ratePerSecond }: Position): { readonly letters: number; readonly waitMs: number } {
  const letters = Math.max(1, Math.floor(ratePerSecond))
  return { letters, waitMs: Math.ceil((letters * 1_000) / ratePerSecond) }
}

/** Updates a replay after its step. A step below its limit is the last one. */
function update(
  replay: Position,
  found: readonly { readonly seq: number }[],
  queued: number,
  now: Date,
): Work<number> {
  const { letters, waitMs } = stepOf(replay)
  const isDone = found.length < letters
  return run(
    `update replays set queued = queued + ?1, cursor = ?2, status = ?3, next_at = ?4, finished_at = ?5 where id = ?6`,
    ...[queued, found.at(-1)?.seq ?? replay.cursor, isDone ? 'done' : 'running'],
    ...[isDone ? null : msOf(now) + waitMs, isDone ? msOf(now) : null, replay.id],
  )
}

/** Deliveries to queue again, of a bulk replay or selected one by one. */
export type RequeuePart = {
  readonly letters: readonly { readonly seq: number; readonly hook_id: string }[]
  readonly replayId: string | null
  /** Whether `letters` may also be delivered events. */
  readonly delivered?: boolean
}

/**
 * Queues dead letters and delivered events again, on a new schedule. Returns the number for each part, without those
 * that another transaction queued. Locks all lanes first, as for every change of pending deliveries (lanes.ts).
 */
export function* requeue(parts: readonly RequeuePart[], now: Date, expireAfterMs: number): Work<number[]> {
  const hookIds = new Set(parts.flatMap(({ letters }) => letters.map(({ hook_id }) => hook_id)))
  if (hookIds.size === 0) return parts.map(() => 0)
  yield* lockLanes(hookIds)
  const counts: number[] = []
  for (const { letters, replayId, delivered = false } of parts) {
    const seqs = letters.map(({ seq }) => seq)
    const values = [msOf(now), msOf(now) + expireAfterMs, replayId, seqs]
    counts.push(yield* run(delivered ? REQUEUE_ENDED : REQUEUE_DEAD, ...values))
  }
  yield* advanceNextClaims(new Map([...hookIds].map((hookId) => [hookId, msOf(now)])))
  return counts
}

const requeueOf = (delivered: boolean) =>
  sql(
    (
      d,
    ) => `update deliveries as d set status = 'pending', attempts = 0, due_at = ?1, expires_at = ?2, replay_id = ?3,
        delivered_at = null, resolved_at = null
      where d.seq ${d.among('?4', 'bigint')} and ${isEnded(delivered)}`,
  )
const REQUEUE_DEAD = requeueOf(false)
const REQUEUE_ENDED = requeueOf(true)
