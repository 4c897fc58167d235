import { targetHost } from '../../queue/target-host.ts'
import { leastDueOf } from '../../tables/queue/least-due.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

/**
 * Changes of a hook's queue. Call them inside a transaction. `next_claim_at` may be early, since a claim that finds nothing corrects it. It must never be late, which would delay a delivery. Claims advance it (claims.ts).
 *
 *   open ──pause──▶ paused ──resume──▶ open      nothing is claimed while paused
 *   open ──410────▶ gone   ──resume──▶ open      sweeps turn pending deliveries into dead letters
 *   any ──remove──▶ deleted                      sweeps delete pending deliveries
 */

/** Creates the empty queue of a new hook. */
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

/** Updates the lane for a changed target and resets its health. */
export function updateLaneTarget(db: Connection, hookId: string, targetUrl: string): void {
  db.run(
    `update lanes set host = ?, health = null, not_before = null, deferred_until = null where hook_id = ?`,
    targetHost(targetUrl),
    hookId,
  )
  recomputeNextClaim(db, hookId)
}

/** Resets the health and makes the lane ready after a manual replay, since the target was presumably fixed. */
export function resetLane(db: Connection, hookId: string, now: Date): void {
  db.run(
    `update lanes set health = null, not_before = null, deferred_until = null, next_claim_at = ?
     where hook_id = ? and state = 'open'`,
    msOf(now),
    hookId,
  )
}

export function pauseLane(db: Connection, hookId: string): void {
  db.run(`update lanes set state = 'paused', next_claim_at = null, sweep_at = null where hook_id = ?`, hookId)
}

/** Resumes a paused or `gone` lane. Its deliveries are sent in the order of their due times. */
export function openLane(db: Connection, hookId: string, now: Date): void {
  db.run(
    `update lanes set state = 'open', sweep_at = null, released_at = ? where hook_id = ?`,
    msOf(now),
    hookId,
  )
  recomputeNextClaim(db, hookId)
}

/** Ends claims from the lane. `sweepEnded` handles its pending deliveries. */
export function endLane(db: Connection, hookId: string, state: 'gone' | 'deleted', now: Date): void {
  db.run(
    'update lanes set state = ?, next_claim_at = null, sweep_at = ? where hook_id = ?',
    state,
    msOf(now),
    hookId,
  )
}

/** Updates the lane for a delivery that is due at `dueMs`. */
export function advanceNextClaim(db: Connection, hookId: string, dueMs: number): void {
  db.run(
    `update lanes set next_claim_at = max(min(coalesce(next_claim_at, ?1), ?1), coalesce(not_before, 0))
     where hook_id = ?2 and state = 'open'
       and (next_claim_at is null or next_claim_at > max(?1, coalesce(not_before, 0)))`,
    dueMs,
    hookId,
  )
}

/** Computes it from the pending deliveries, with the first rows of an index. */
export function recomputeNextClaim(db: Connection, hookId: string): void {
  const dueMs = leastDue(db, hookId)
  db.run(
    `update lanes set next_claim_at = max(?, coalesce(not_before, 0)) where hook_id = ? and state = 'open'`,
    dueMs,
    hookId,
  )
}

/** When the first pending delivery can be claimed; null without pending deliveries. */
export function leastDue(db: Connection, hookId: string): number | null {
  return db.get<{ due_at: number | null }>(LEAST_DUE, hookId)?.due_at ?? null
}

export const LEAST_DUE = `select ${leastDueOf('?1').sqlite} as due_at`
