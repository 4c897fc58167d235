import { targetHost } from '../target-host.ts'
import { msOf } from '../values.ts'
import type { Connection } from './connect.ts'

/**
 * What happens to a hook's queue, for use inside a transaction. `turn_at` may be early, for a claim that finds
 * nothing sets it right; it must never be late, or a delivery waits for no reason. Claims move it on (claims.ts).
 *
 *   open ──pause──▶ paused ──resume──▶ open      nothing is claimed while paused: its deliveries are held
 *   open ──410────▶ gone   ──resume──▶ open      what is pending becomes dead letters, sweep by sweep
 *   any ──remove──▶ deleted                      what is pending is dropped, sweep by sweep
 */

/** The empty queue of a new hook. */
export function createLane(
  db: Connection,
  hook: { readonly id: string; readonly accountId: string; readonly targetUrl: string },
): void {
  db.run(
    `insert into lanes (hook_id, account_id, host, state) values (?, ?, ?, 'open')`,
    hook.id,
    hook.accountId,
    targetHost(hook.targetUrl),
  )
}

/** Follows a changed target, of which nothing bad is known yet. */
export function moveLane(db: Connection, hookId: string, targetUrl: string): void {
  db.run(
    `update lanes set host = ?, health = null, not_before = null, deferred_until = null where hook_id = ?`,
    targetHost(targetUrl),
    hookId,
  )
  recomputeTurn(db, hookId)
}

/** Somebody sends by hand, so the target was mended: what the sender holds against it is forgotten, at once. */
export function trustLane(db: Connection, hookId: string, now: Date): void {
  db.run(
    `update lanes set health = null, not_before = null, deferred_until = null, turn_at = ?
     where hook_id = ? and state = 'open'`,
    msOf(now),
    hookId,
  )
}

export function pauseLane(db: Connection, hookId: string): void {
  db.run(`update lanes set state = 'paused', turn_at = null, sweep_at = null where hook_id = ?`, hookId)
}

/** Releases what a pause held, and what a `gone` lane still has, in the order it was due. */
export function openLane(db: Connection, hookId: string, now: Date): void {
  db.run(
    `update lanes set state = 'open', sweep_at = null, released_at = ? where hook_id = ?`,
    msOf(now),
    hookId,
  )
  recomputeTurn(db, hookId)
}

/** Nothing is claimed from it any more; `sweepEnded` takes what is pending. */
export function endLane(db: Connection, hookId: string, state: 'gone' | 'deleted', now: Date): void {
  db.run(
    'update lanes set state = ?, turn_at = null, sweep_at = ? where hook_id = ?',
    state,
    msOf(now),
    hookId,
  )
}

/** Something of this lane became due at `dueMs`. */
export function bringTurnForward(db: Connection, hookId: string, dueMs: number): void {
  db.run(
    `update lanes set turn_at = max(min(coalesce(turn_at, ?1), ?1), coalesce(not_before, 0))
     where hook_id = ?2 and state = 'open'
       and (turn_at is null or turn_at > max(?1, coalesce(not_before, 0)))`,
    dueMs,
    hookId,
  )
}

/** From what is pending, by the first rows of an index, however much that is. */
export function recomputeTurn(db: Connection, hookId: string): void {
  const dueMs = leastDue(db, hookId)
  db.run(
    `update lanes set turn_at = max(?, coalesce(not_before, 0)) where hook_id = ? and state = 'open'`,
    dueMs,
    hookId,
  )
}

/** Null when nothing is pending. */
export function leastDue(db: Connection, hookId: string): number | null {
  return db.get<{ due_at: number | null }>(LEAST_DUE, hookId)?.due_at ?? null
}

/**
 * When the first of what is pending under a hook can be claimed: when it is due or, being sent, when its lease ends. Of each
 * part of deliveries_due the first row without a lease, and those before it; what comes later cannot be leased, or that one
 * would have been taken too. Null when nothing is pending.
 */
export function leastDueOf(hookId: string): string {
  const pending = (retried: 0 | 1) =>
    `from deliveries where hook_id = ${hookId} and status = 'pending' and (attempts > 0) = ${retried}`
  const part = (retried: 0 | 1) => `select min(
      coalesce(due, 9e15),
      coalesce((select min(leased_until) ${pending(retried)} and due_at < coalesce(due, 9e15)), 9e15)) as at
    from (select (select due_at ${pending(retried)} and leased_until is null order by due_at, seq limit 1) as due)`
  return `(select nullif(min(at), 9e15) from (${part(0)} union all ${part(1)}))`
}

export const LEAST_DUE = `select ${leastDueOf('?1')} as due_at`
