import type { DeadReason } from '../../../model/vocabulary.ts'
import type { SweptEnded } from '../../port/deliveries.ts'
import { deleteEvents } from '../../tables/queue/events.ts'
import { msOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import type { Database, Transaction } from '../connect.ts'
import { countDeadLetters } from './hook-hours.ts'
import { leastDue, lockLanes } from './lanes.ts'

/** Lanes in one sweep. Each costs a few index reads and its deliveries. */
const LANES_PER_SWEEP = 16

/**
 * Turns the pending deliveries of gone lanes into dead letters, and deletes those of deleted lanes. Leased deliveries
 * are left to their sender, or to a sweep after the lease.
 */
export async function sweepEnded(db: Database, now: Date, limit: number): Promise<SweptEnded> {
  // Usually there is none: then it costs one statement instead of three.
  const some = await db.get('select 1 from lanes where sweep_at <= $1 limit 1', msOf(now))
  if (some === undefined) return { dead: 0, dropped: 0 }
  return db.transaction(async (tx) => {
    const lanes = await tx.all<{ hook_id: string; state: 'gone' | 'deleted' }>(
      'select hook_id, state from lanes where sweep_at <= $1 order by sweep_at limit $2 for update skip locked',
      msOf(now),
      LANES_PER_SWEEP,
    )
    let dead = 0
    let dropped = 0
    for (const lane of lanes) {
      const room = limit - dead - dropped
      if (room <= 0) break
      const seqs = await pendingOf(tx, lane.hook_id, now, room)
      if (lane.state === 'gone') {
        await markDead(tx, seqs, 'gone', now)
        dead += seqs.length
      } else {
        await runAsync(tx, deleteEvents(seqs))
        dropped += seqs.length
      }
      if (seqs.length < room) {
        const sweepAt = await leastDue(tx, lane.hook_id)
        await tx.run('update lanes set sweep_at = $1 where hook_id = $2', sweepAt, lane.hook_id)
      }
    }
    return { dead, dropped }
  })
}

/**
 * Turns deliveries that an open breaker has delayed past their expiry into dead letters. Lanes that may send, even
 * slowly or one probe at a time, are excluded: their overdue deliveries get an attempt.
 */
export async function sweepExpired(
  db: Database,
  now: Date,
  expireAfterMs: number,
  limit: number,
): Promise<number> {
  const releasedMs = msOf(now) - expireAfterMs
  const found = await db.all<{ seq: number; hook_id: string }>(
    SELECT_EXPIRED_RETRIES,
    msOf(now),
    releasedMs,
    limit,
  )
  const waiting = await db.all<{ hook_id: string }>(
    SELECT_LANES_WITH_EXPIRED_FIRST,
    msOf(now),
    releasedMs,
    LANES_PER_SWEEP,
  )
  if (found.length === 0 && waiting.length === 0) return 0
  return db.transaction(async (tx) => {
    // Differs from sqlite: the lanes are locked only now, so the deliveries are checked again.
    await lockLanes(
      tx,
      [...found, ...waiting].map(({ hook_id }) => hook_id),
    )
    let swept = await markDead(tx, await stillExpired(tx, found, now, releasedMs), 'expired', now)
    for (const { hook_id } of waiting) {
      if (swept >= limit) break
      swept += await markDead(
        tx,
        await expiredFirstAttempts(tx, hook_id, now, releasedMs, limit - swept),
        'expired',
        now,
      )
    }
    return swept
  })
}

export const SELECT_EXPIRED_RETRIES = `select d.seq, d.hook_id from lanes l join deliveries d on d.hook_id = l.hook_id
  where l.state = 'open' and l.deferred_until > $1 and coalesce(l.released_at, 0) <= $2
    and d.status = 'pending' and d.attempts > 0 and d.expires_at <= $1 and (d.leased_until is null or d.leased_until <= $1)
  limit $3`

/** Deliveries without an attempt expire in the order of their due times, so the first one decides for the lane. */
export const SELECT_LANES_WITH_EXPIRED_FIRST = `select l.hook_id from lanes l
  where l.state = 'open' and l.deferred_until > $1 and coalesce(l.released_at, 0) <= $2 and (
    select expires_at from deliveries
    where hook_id = l.hook_id and status = 'pending' and least(attempts, 1) = 0 and leased_until is null
    order by due_at, seq limit 1) <= $1
  limit $3`

async function stillExpired(
  tx: Transaction,
  found: readonly { readonly seq: number }[],
  now: Date,
  releasedMs: number,
): Promise<number[]> {
  if (found.length === 0) return []
  const rows = await tx.all<{ seq: number }>(
    `select d.seq from deliveries d join lanes l on l.hook_id = d.hook_id
     where d.seq = any($1::bigint[]) and l.state = 'open' and l.deferred_until > $2 and coalesce(l.released_at, 0) <= $3
       and d.status = 'pending' and d.expires_at <= $2 and (d.leased_until is null or d.leased_until <= $2)`,
    found.map(({ seq }) => seq),
    msOf(now),
    releasedMs,
  )
  return rows.map(({ seq }) => seq)
}

async function expiredFirstAttempts(
  tx: Transaction,
  hookId: string,
  now: Date,
  releasedMs: number,
  limit: number,
): Promise<number[]> {
  const seqs: number[] = []
  for (const row of await tx.all<{ seq: number; expires_at: number }>(
    `select d.seq, d.expires_at from lanes l join deliveries d on d.hook_id = l.hook_id
     where l.hook_id = $1 and l.state = 'open' and l.deferred_until > $2 and coalesce(l.released_at, 0) <= $3
       and d.status = 'pending' and least(d.attempts, 1) = 0 and d.due_at <= $2
       and (d.leased_until is null or d.leased_until <= $2)
     order by d.due_at, d.seq limit $4`,
    hookId,
    msOf(now),
    releasedMs,
    limit,
  )) {
    if (row.expires_at > msOf(now)) break
    seqs.push(row.seq)
  }
  return seqs
}

async function pendingOf(tx: Transaction, hookId: string, now: Date, limit: number): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>(
    `select seq from deliveries
     where hook_id = $1 and status = 'pending' and (leased_until is null or leased_until <= $2) limit $3`,
    hookId,
    msOf(now),
    limit,
  )
  return rows.map(({ seq }) => seq)
}

/** Returns the number of dead letters. */
async function markDead(
  tx: Transaction,
  seqs: readonly number[],
  reason: DeadReason,
  now: Date,
): Promise<number> {
  if (seqs.length === 0) return 0
  await countDeadLetters(tx, seqs, now)
  return tx.run(
    `update deliveries set status = 'dead', dead_at = $1, dead_reason = $2, due_at = null, lease = null, leased_until = null
     where seq = any($3::bigint[])`,
    msOf(now),
    reason,
    seqs,
  )
}
