import type { DeadReason } from '../../../model/vocabulary.ts'
import type { SweptEnded } from '../../port/deliveries.ts'
import { msOf } from '../../values.ts'
import { all, type Db, get, run, sql, type Work } from '../../work.ts'
import { deleteEvents } from './events.ts'
import { isRetry, leastDue, lockLanes } from './lanes.ts'
import { DEAD_LETTERED, hourOf } from './latency.ts'

/** Lanes in one sweep. Each costs a few index reads and its deliveries. */
const LANES_PER_SWEEP = 16

/**
 * Turns the pending deliveries of gone lanes into dead letters, and deletes those of deleted lanes. Leased deliveries
 * are left to their sender, or to a sweep after the lease.
 */
export async function sweepEnded(db: Db, now: Date, limit: number): Promise<SweptEnded> {
  // Usually there is none: then it is one read.
  const some = get('select 1 from lanes where sweep_at <= ?1 limit 1', msOf(now))
  const swept = await db.transactionFor(
    () => some,
    function* () {
      const lanes = yield* all<{ hook_id: string; state: 'gone' | 'deleted' }>(
        ENDED_LANES,
        ...[msOf(now), LANES_PER_SWEEP],
      )
      let dead = 0
      let dropped = 0
      for (const { hook_id: hookId, state } of lanes) {
        const room = limit - dead - dropped
        if (room <= 0) break
        const seqs = (yield* all<{ seq: number }>(PENDING, hookId, msOf(now), room)).map(({ seq }) => seq)
        if (state === 'gone') {
          yield* markDead(seqs, 'gone', now)
          dead += seqs.length
        } else {
          yield* deleteEvents(seqs)
          dropped += seqs.length
        }
        if (seqs.length < room)
          yield* run('update lanes set sweep_at = ?1 where hook_id = ?2', yield* leastDue(hookId), hookId)
      }
      return { dead, dropped }
    },
  )
  return swept ?? { dead: 0, dropped: 0 }
}

const ENDED_LANES = sql(
  (d) =>
    `select hook_id, state from lanes where sweep_at <= ?1 order by sweep_at limit ?2 ${d.forUpdate('skip locked')}`,
)

const PENDING = `select seq from deliveries
  where hook_id = ?1 and status = 'pending' and (leased_until is null or leased_until <= ?2) limit ?3`

/**
 * Turns deliveries that an open breaker has delayed past their expiry into dead letters. Lanes that may send, even
 * slowly or one probe at a time, are excluded: their overdue deliveries get an attempt.
 */
export async function sweepExpired(db: Db, now: Date, expireAfterMs: number, limit: number): Promise<number> {
  const [nowMs, releasedMs] = [msOf(now), msOf(now) - expireAfterMs]
  type Found = { seq: number; hook_id: string }
  const expired = function* () {
    const found = yield* all<Found>(SELECT_EXPIRED_RETRIES, nowMs, releasedMs, limit)
    const waiting = yield* all<{ hook_id: string }>(
      ...([SELECT_LANES_WITH_EXPIRED_FIRST, nowMs, releasedMs, LANES_PER_SWEEP] as const),
    )
    return found.length === 0 && waiting.length === 0 ? undefined : { found, waiting }
  }
  const count = await db.transactionFor(expired, function* ({ found, waiting }) {
    yield* lockLanes([...found, ...waiting].map(({ hook_id }) => hook_id))
    // The lanes were not locked before.
    const still = yield* all<{ seq: number }>(
      STILL_EXPIRED,
      ...[nowMs, releasedMs, found.map(({ seq }) => seq)],
    )
    let swept = yield* markDead(
      still.map(({ seq }) => seq),
      'expired',
      now,
    )
    for (const { hook_id } of waiting) {
      if (swept >= limit) break
      const first = yield* all<{ seq: number; expires_at: number }>(
        FIRST_ATTEMPTS,
        ...[nowMs, releasedMs, hook_id, limit - swept],
      )
      const end = first.findIndex(({ expires_at }) => expires_at > nowMs)
      const expired = first.slice(0, end < 0 ? first.length : end).map(({ seq }) => seq)
      swept += yield* markDead(expired, 'expired', now)
    }
    return swept
  })
  return count ?? 0
}

const IS_DEFERRED = `l.state = 'open' and l.deferred_until > ?1 and coalesce(l.released_at, 0) <= ?2`
const IS_FREE = "d.status = 'pending' and (d.leased_until is null or d.leased_until <= ?1)"

export const SELECT_EXPIRED_RETRIES = sql(
  (d) => `select d.seq, d.hook_id from lanes l ${d.thenJoin} deliveries d on d.hook_id = l.hook_id
    where ${IS_DEFERRED} and ${IS_FREE} and d.attempts > 0 and d.expires_at <= ?1 limit ?3`,
)

/** Deliveries without an attempt expire in the order of their due times, so the first one decides for the lane. */
export const SELECT_LANES_WITH_EXPIRED_FIRST = sql(
  (d) => `select l.hook_id from lanes l where ${IS_DEFERRED} and (
      select expires_at from deliveries
      where hook_id = l.hook_id and status = 'pending' and ${d.of(isRetry('attempts', 0))} and leased_until is null
      order by due_at, seq limit 1) <= ?1
    limit ?3`,
)

const STILL_EXPIRED = sql(
  (d) => `select d.seq from deliveries d join lanes l on l.hook_id = d.hook_id
    where d.seq ${d.among('?3', 'bigint')} and ${IS_DEFERRED} and ${IS_FREE} and d.expires_at <= ?1`,
)

const FIRST_ATTEMPTS = sql(
  (d) => `select d.seq, d.expires_at from lanes l join deliveries d on d.hook_id = l.hook_id
    where l.hook_id = ?3 and ${IS_DEFERRED} and ${IS_FREE} and ${d.of(isRetry('d.attempts', 0))} and d.due_at <= ?1
    order by d.due_at, d.seq limit ?4`,
)

/** Returns the number of dead letters, and counts them in the current hour. The caller locked their lanes. */
function* markDead(seqs: readonly number[], reason: DeadReason, now: Date): Work<number> {
  if (seqs.length === 0) return 0
  yield* run(COUNT_DEAD, hourOf(now), DEAD_LETTERED, seqs)
  return yield* run(MARK_DEAD, msOf(now), reason, seqs)
}

const COUNT_DEAD = sql(
  (d) => `insert into hook_hours (account_id, hour_at, hook_id, outcome, count)
    select account_id, cast(?1 as bigint), hook_id, cast(?2 as integer), count(*) from deliveries
    where seq ${d.among('?3', 'bigint')} group by account_id, hook_id
    on conflict (account_id, hour_at, hook_id, outcome) do update set count = hook_hours.count + excluded.count`,
)

const MARK_DEAD = sql(
  (
    d,
  ) => `update deliveries set status = 'dead', dead_at = ?1, dead_reason = ?2, due_at = null, lease = null, leased_until = null
    where seq ${d.among('?3', 'bigint')}`,
)
