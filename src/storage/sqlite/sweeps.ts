import type { DeadReason } from '../../model/vocabulary.ts'
import type { SweptEnded } from '../port/deliveries.ts'
import { msOf } from '../values.ts'
import type { Connection } from './connect.ts'
import { noteDied } from './hook-hours.ts'
import { leastDue } from './lanes.ts'

/** Lanes looked at in one sweep. Chosen: each costs a few looks into an index besides what it gives. */
const LANES_PER_SWEEP = 16

/**
 * Ends what is pending under lanes that are gone (dead letters) or deleted (dropped, with attempts and bytes). What
 * is being sent now is left to its sender, or to a sweep after its lease.
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
        die(db, seqs, 'gone', now)
        dead += seqs.length
      } else {
        drop(db, seqs)
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
 * Makes dead letters of what an open breaker deferred past the end of its wait list. Lanes that may send, be it slowly
 * or one probe at a time, are not looked at: what is overdue there gets its attempt.
 */
export function sweepExpired(db: Connection, now: Date, giveUpAfterMs: number, limit: number): number {
  const releasedMs = msOf(now) - giveUpAfterMs
  return db.transaction(() => {
    const retried = db
      .all<{ seq: number }>(RETRIED_PAST_THEIR_END, msOf(now), releasedMs, msOf(now), msOf(now), limit)
      .map(({ seq }) => seq)
    die(db, retried, 'expired', now)
    let swept = retried.length
    for (const { hook_id } of db.all<{ hook_id: string }>(
      LANES_WHOSE_FIRST_IS_PAST_ITS_END,
      msOf(now),
      releasedMs,
      msOf(now),
      LANES_PER_SWEEP,
    )) {
      if (swept >= limit) break
      const seqs = untriedPastTheirEnd(db, hook_id, now, limit - swept)
      die(db, seqs, 'expired', now)
      swept += seqs.length
    }
    return swept
  })
}

export const RETRIED_PAST_THEIR_END = `select d.seq from lanes l cross join deliveries d on d.hook_id = l.hook_id
  where l.state = 'open' and l.deferred_until > ? and coalesce(l.released_at, 0) <= ?
    and d.status = 'pending' and d.attempts > 0 and d.give_up_at <= ? and (d.leased_until is null or d.leased_until <= ?)
  limit ?`

/** Deliveries never tried give up in the order they are due: the first one tells for all. */
export const LANES_WHOSE_FIRST_IS_PAST_ITS_END = `select l.hook_id from lanes l
  where l.state = 'open' and l.deferred_until > ? and coalesce(l.released_at, 0) <= ? and (
    select give_up_at from deliveries
    where hook_id = l.hook_id and status = 'pending' and (attempts > 0) = 0 and leased_until is null
    order by due_at, seq limit 1) <= ?
  limit ?`

function untriedPastTheirEnd(db: Connection, hookId: string, now: Date, limit: number): number[] {
  const seqs: number[] = []
  for (const row of db.all<{ seq: number; give_up_at: number }>(
    `select seq, give_up_at from deliveries
     where hook_id = ?1 and status = 'pending' and (attempts > 0) = 0 and due_at <= ?2
       and (leased_until is null or leased_until <= ?2)
     order by due_at, seq limit ?3`,
    hookId,
    msOf(now),
    limit,
  )) {
    if (row.give_up_at > msOf(now)) break
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

function die(db: Connection, seqs: readonly number[], reason: DeadReason, now: Date): void {
  if (seqs.length === 0) return
  db.run(
    `update deliveries set status = 'dead', dead_at = ?, dead_reason = ?, due_at = null, lease = null, leased_until = null
     where seq in (select value from json_each(?))`,
    msOf(now),
    reason,
    JSON.stringify(seqs),
  )
  noteDied(db, seqs, now)
}

/** Deletes events with their deliveries and attempts. Inside a transaction. */
export function drop(db: Connection, seqs: readonly number[]): void {
  if (seqs.length === 0) return
  const list = JSON.stringify(seqs)
  db.run('delete from attempts where delivery_seq in (select value from json_each(?))', list)
  db.run('delete from deliveries where seq in (select value from json_each(?))', list)
  db.run('delete from events where seq in (select value from json_each(?))', list)
}
