import { targetHost } from '../target-host.ts'
import { msOf } from '../values.ts'
import type { Transaction } from './connect.ts'

/**
 * What happens to a hook's queue, for use inside a transaction. `turn_at` may be early, for a claim that finds
 * nothing sets it right; it must never be late, or a delivery waits for no reason. Claims move it on (claims.ts).
 *
 *   open ──pause──▶ paused ──resume──▶ open      nothing is claimed while paused: its deliveries are held
 *   open ──410────▶ gone   ──resume──▶ open      what is pending becomes dead letters, sweep by sweep
 *   any ──remove──▶ deleted                      what is pending is dropped, sweep by sweep
 */

/** The empty queue of a new hook. */
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

/** Follows a changed target. */
export async function moveLane(tx: Transaction, hookId: string, targetUrl: string): Promise<void> {
  await tx.run(
    `update lanes set host = $1, health = null, not_before = null, deferred_until = null where hook_id = $2`,
    targetHost(targetUrl),
    hookId,
  )
  await recomputeTurn(tx, hookId)
}

/** Of lanes that this transaction locked. */
export async function trustLanes(tx: Transaction, hookIds: readonly string[], now: Date): Promise<void> {
  await tx.run(
    `update lanes set health = null, not_before = null, deferred_until = null, turn_at = $1
     where hook_id = any($2::text[]) and state = 'open'`,
    msOf(now),
    hookIds,
  )
}

export async function pauseLane(tx: Transaction, hookId: string): Promise<void> {
  await tx.run(
    `update lanes set state = 'paused', turn_at = null, sweep_at = null where hook_id = $1`,
    hookId,
  )
}

/** Releases what a pause held, and what a `gone` lane still has, in the order it was due. */
export async function openLane(tx: Transaction, hookId: string, now: Date): Promise<void> {
  await tx.run(
    `update lanes set state = 'open', sweep_at = null, released_at = $1 where hook_id = $2`,
    msOf(now),
    hookId,
  )
  await recomputeTurn(tx, hookId)
  tx.madeWork()
}

/** Nothing is claimed from it any more; `sweepEnded` takes what is pending. */
export async function endLane(
  tx: Transaction,
  hookId: string,
  state: 'gone' | 'deleted',
  now: Date,
): Promise<void> {
  await tx.run(
    'update lanes set state = $1, turn_at = null, sweep_at = $2 where hook_id = $3',
    state,
    msOf(now),
    hookId,
  )
}

/**
 * Something of these lanes became due; instants in milliseconds by hook.
 * differs from sqlite: every lane is locked first and then judged, in two statements, since one judges by what it saw when
 * it began. A claim that began before what became due was there is about to say that nothing is due, and that must not be
 * the last word. A lane may also have ended since its hook was read: it is swept once more for what came too late.
 */
export function bringTurnsForward(tx: Transaction, dueMs: ReadonlyMap<string, number>): void {
  if (dueMs.size === 0) return
  tx.send('select 1 from lanes where hook_id = any($1::text[]) order by hook_id for no key update', [
    ...dueMs.keys(),
  ])
  tx.send(
    `update lanes l set
       turn_at = case when state = 'open' then greatest(least(turn_at, v.at), not_before) end,
       sweep_at = case when state in ('gone', 'deleted') then least(sweep_at, v.at) end
     from unnest($1::text[], $2::bigint[]) as v (id, at)
     where hook_id = v.id and (
       (state = 'open' and (turn_at is null or turn_at > greatest(v.at, not_before)))
       or (state in ('gone', 'deleted') and (sweep_at is null or sweep_at > v.at)))`,
    [...dueMs.keys()],
    [...dueMs.values()],
  )
  tx.madeWork()
}

/**
 * Whoever changes what is pending has its lanes' rows first, always in this order, so that nobody waits in a circle. Claims
 * and settles of successes share them, because no delivery is for both.
 */
export async function lockLanes(tx: Transaction, hookIds: Iterable<string>): Promise<void> {
  await tx.run('select 1 from lanes where hook_id = any($1::text[]) order by hook_id for update', [
    ...new Set(hookIds),
  ])
}

/** From what is pending, by the first rows of an index, however much that is. */
export async function recomputeTurn(tx: Transaction, hookId: string): Promise<void> {
  const dueMs = await leastDue(tx, hookId)
  await tx.run(
    // differs from sqlite: greatest and least pass over nulls.
    `update lanes set turn_at = case when $1::bigint is null then null else greatest($1::bigint, not_before) end
     where hook_id = $2 and state = 'open'`,
    dueMs,
    hookId,
  )
}

/** Null when nothing is pending. */
export async function leastDue(tx: Transaction, hookId: string): Promise<number | null> {
  const row = await tx.get<{ due_at: number | null }>(LEAST_DUE, hookId)
  return row?.due_at ?? null
}

/**
 * When the first of what is pending under a hook can be claimed: when it is due or, being sent, when its lease ends. Of each
 * part of deliveries_due the first row without a lease, and those before it; what comes later cannot be leased, or that one
 * would have been taken too. Null when nothing is pending. Not `min(due_at)`: with statistics from before a backlog the
 * planner would read all of it.
 */
export function leastDueOf(hookId: string): string {
  const pending = (retried: 0 | 1) =>
    `from deliveries where hook_id = ${hookId} and status = 'pending' and least(attempts, 1) = ${retried}`
  const part = (retried: 0 | 1) => `(select least(due, (
      select min(leased_until) ${pending(retried)} and due_at < coalesce(due, ${Number.MAX_SAFE_INTEGER})))
    from (select (select due_at ${pending(retried)} and leased_until is null order by due_at, seq limit 1) as due) first)`
  return `least(${part(0)}, ${part(1)})`
}

const LEAST_DUE = `select ${leastDueOf('$1')} as due_at`
