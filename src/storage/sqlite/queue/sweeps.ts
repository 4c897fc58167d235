import type { DeadReason } from '../../../model/vocabulary.ts'
import type { SweptEnded } from '../../port/deliveries.ts'
import { deleteEvents } from '../../tables/queue/events.ts'
import { msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'
import { countDeadLetters } from './hook-hours.ts'
import { leastDue } from './lanes.ts'

/** Lanes in one sweep. Each costs a few index reads and its deliveries. */
const LANES_PER_SWEEP = 16

/**
 * Turns the pending deliveries of gone lanes into dead letters, and deletes those of deleted lanes. Leased deliveries
 * are left to their sender, or to a sweep after the lease.
 */
export function sweepEnded(db: Connection, now: Date, limit: number): SweptEnded {
  return db.transaction(() => {
    const lanes = db.all<{ hook_id: string; state: 'gone' | 'deleted' }>(
      'select hook_id, state from lanes where sweep_at <= ? order by sweep_at limit ?',
      msOf(now),
      LANES_PER_SWEEP,
    )
    let dead = 0
    let dropped = 0
    for (const lane of lanes) {
      const room = limit - dead - dropped
      if (room <= 0) break
      const seqs = pendingOf(db, lane.hook_id, now, room)
      if (lane.state === 'gone') {
        markDead(db, seqs, 'gone', now)
        dead += seqs.length
      } else {
        runSync(db, deleteEvents(seqs))
        dropped += seqs.length
      }
      if (seqs.length < room) {
        db.run('update lanes set sweep_at = ? where hook_id = ?', leastDue(db, lane.hook_id), lane.hook_id)
      }
    }
    return { dead, dropped }
  })
}

/**
 * Turns deliveries that an open breaker has delayed past their expiry into dead letters. Lanes that may send, even
 * slowly or one probe at a time, are excluded: their overdue deliveries get an attempt.
 */
export function sweepExpired(db: Connection, now: Date, expireAfterMs: number, limit: number): number {
  const releasedMs = msOf(now) - expireAfterMs
  return db.transaction(() => {
    const retried = db
      .all<{ seq: number }>(SELECT_EXPIRED_RETRIES, msOf(now), releasedMs, msOf(now), msOf(now), limit)
      .map(({ seq }) => seq)
    markDead(db, retried, 'expired', now)
    let swept = retried.length
    for (const { hook_id } of db.all<{ hook_id: string }>(
      SELECT_LANES_WITH_EXPIRED_FIRST,
      msOf(now),
      releasedMs,
      msOf(now),
      LANES_PER_SWEEP,
    )) {
      if (swept >= limit) break
      const seqs = expiredFirstAttempts(db, hook_id, now, limit - swept)
      markDead(db, seqs, 'expired', now)
      swept += seqs.length
    }
    return swept
  })
}

export const SELECT_EXPIRED_RETRIES = `select d.seq from lanes l cross join deliveries d on d.hook_id = l.hook_id
  where l.state = 'open' and l.deferred_until > ? and coalesce(l.released_at, 0) <= ?
    and d.status = 'pending' and d.attempts > 0 and d.expires_at <= ? and (d.leased_until is null or d.leased_until <= ?)
  limit ?`

/** Deliveries without an attempt expire in the order of their due times, so the first one decides for the lane. */
export const SELECT_LANES_WITH_EXPIRED_FIRST = `select l.hook_id from lanes l
  where l.state = 'open' and l.deferred_until > ? and coalesce(l.released_at, 0) <= ? and (
    select expires_at from deliveries
    where hook_id = l.hook_id and status = 'pending' and (attempts > 0) = 0 and leased_until is null
    order by due_at, seq limit 1) <= ?
  limit ?`

function expiredFirstAttempts(db: Connection, hookId: string, now: Date, limit: number): number[] {
  const seqs: number[] = []
  for (const row of db.all<{ seq: number; expires_at: number }>(
    `select seq, expires_at from deliveries
     where hook_id = ?1 and status = 'pending' and (attempts > 0) = 0 and due_at <= ?2
       and (leased_until is null or leased_until <= ?2)
     order by due_at, seq limit ?3`,
    hookId,
    msOf(now),
    limit,
  )) {
    if (row.expires_at > msOf(now)) break
    seqs.push(row.seq)
  }
  return seqs
}

function pendingOf(db: Connection, hookId: string, now: Date, limit: number): number[] {
  return db
    .all<{ seq: number }>(
      `select seq from deliveries
       where hook_id = ? and status = 'pending' and (leased_until is null or leased_until <= ?)
       limit ?`,
      hookId,
      msOf(now),
      limit,
    )
    .map(({ seq }) => seq)
}

function markDead(db: Connection, seqs: readonly number[], reason: DeadReason, now: Date): void {
  if (seqs.length === 0) return
  db.run(
    `update deliveries set status = 'dead', dead_at = ?, dead_reason = ?, due_at = null, lease = null, leased_until = null
     where seq in (select value from json_each(?))`,
    msOf(now),
    reason,
    JSON.stringify(seqs),
  )
  countDeadLetters(db, seqs, now)
}
