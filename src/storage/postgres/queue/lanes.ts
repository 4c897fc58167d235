import { targetHost } from '../../queue/target-host.ts'
import { leastDueOf } from '../../tables/queue/least-due.ts'
import { msOf } from '../../values.ts'
import type { Transaction } from '../connect.ts'

/**
 * Changes of a hook's queue. Call them inside a transaction. `next_claim_at` may be early, since a claim that finds nothing corrects it. It must never be late, which would delay a delivery. Claims advance it (claims.ts).
 *
 *   open ──pause──▶ paused ──resume──▶ open      nothing is claimed while paused
 *   open ──410────▶ gone   ──resume──▶ open      sweeps turn pending deliveries into dead letters
 *   any ──remove──▶ deleted                      sweeps delete pending deliveries
 */

/** Creates the empty queue of a new hook. */
export async function createLane(
  tx: Transaction,
  hook: { readonly id: string; readonly accountId: string; readonly targetUrl: string },
): Promise<void> {
  await tx.run(
    `insert into lanes (hook_id, account_id, host, state) values ($1, $2, $3, 'open')`,
    hook.id,
    hook.accountId,
    targetHost(hook.targetUrl),
  )
}

/** Updates the lane for a changed target and resets its health. */
export async function updateLaneTarget(tx: Transaction, hookId: string, targetUrl: string): Promise<void> {
  await tx.run(
    `update lanes set host = $1, health = null, not_before = null, deferred_until = null where hook_id = $2`,
    targetHost(targetUrl),
    hookId,
  )
  await recomputeNextClaim(tx, hookId)
}

/** Resets the health of lanes after a manual replay. The transaction must have locked them. */
export async function resetLanes(tx: Transaction, hookIds: readonly string[], now: Date): Promise<void> {
  await tx.run(
    `update lanes set health = null, not_before = null, deferred_until = null, next_claim_at = $1
     where hook_id = any($2::text[]) and state = 'open'`,
    msOf(now),
    hookIds,
  )
}

export async function pauseLane(tx: Transaction, hookId: string): Promise<void> {
  await tx.run(
    `update lanes set state = 'paused', next_claim_at = null, sweep_at = null where hook_id = $1`,
    hookId,
  )
}

/** Resumes a paused or `gone` lane. Its deliveries are sent in the order of their due times. */
export async function openLane(tx: Transaction, hookId: string, now: Date): Promise<void> {
  await tx.run(
    `update lanes set state = 'open', sweep_at = null, released_at = $1 where hook_id = $2`,
    msOf(now),
    hookId,
  )
  await recomputeNextClaim(tx, hookId)
  tx.notifyWork()
}

/** Ends claims from the lane. `sweepEnded` handles its pending deliveries. */
export async function endLane(
  tx: Transaction,
  hookId: string,
  state: 'gone' | 'deleted',
  now: Date,
): Promise<void> {
  await tx.run(
    'update lanes set state = $1, next_claim_at = null, sweep_at = $2 where hook_id = $3',
    state,
    msOf(now),
    hookId,
  )
}

/**
 * Updates lanes with newly due deliveries; `dueMs` has the instants by hook. Differs from sqlite: locks and updates
 * lanes in two statements. One statement would use the values from its start, and a concurrent claim that did not see
 * the new deliveries could postpone the lane. A lane may also have ended since its hook was read; then it is swept
 * again.
 */
export function advanceNextClaims(tx: Transaction, dueMs: ReadonlyMap<string, number>): void {
  if (dueMs.size === 0) return
  tx.send('select 1 from lanes where hook_id = any($1::text[]) order by hook_id for no key update', [
    ...dueMs.keys(),
  ])
  tx.send(
    `update lanes l set
       next_claim_at = case when state = 'open' then greatest(least(next_claim_at, v.at), not_before) end,
       sweep_at = case when state in ('gone', 'deleted') then least(sweep_at, v.at) end
     from unnest($1::text[], $2::bigint[]) as v (id, at)
     where hook_id = v.id and (
       (state = 'open' and (next_claim_at is null or next_claim_at > greatest(v.at, not_before)))
       or (state in ('gone', 'deleted') and (sweep_at is null or sweep_at > v.at)))`,
    [...dueMs.keys()],
    [...dueMs.values()],
  )
  tx.notifyWork()
}

/**
 * Locks lanes before any change of pending deliveries, in a fixed order to avoid deadlocks. Claims and settles of
 * successes share the locks, because they never change the same delivery.
 */
export async function lockLanes(tx: Transaction, hookIds: Iterable<string>): Promise<void> {
  await tx.run('select 1 from lanes where hook_id = any($1::text[]) order by hook_id for update', [
    ...new Set(hookIds),
  ])
}

/** Computes it from the pending deliveries, with the first rows of an index. */
export async function recomputeNextClaim(tx: Transaction, hookId: string): Promise<void> {
  const dueMs = await leastDue(tx, hookId)
  await tx.run(
    // Differs from sqlite: greatest and least ignore nulls.
    `update lanes set next_claim_at = case when $1::bigint is null then null else greatest($1::bigint, not_before) end
     where hook_id = $2 and state = 'open'`,
    dueMs,
    hookId,
  )
}

/** When the first pending delivery can be claimed; null without pending deliveries. */
export async function leastDue(tx: Transaction, hookId: string): Promise<number | null> {
  const row = await tx.get<{ due_at: number | null }>(LEAST_DUE, hookId)
  return row?.due_at ?? null
}

const LEAST_DUE = `select ${leastDueOf('?1').postgres} as due_at`
