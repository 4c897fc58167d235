import { targetHost } from '../../../model/target-host.ts'
import { msOf } from '../../values.ts'
import { get, lock, notifyWork, run, runRows, type SqlPair, sql, together, type Work } from '../../work.ts'

/**
 * Changes of a hook's queue. Call them inside a transaction. `next_claim_at` may be early, since a claim that finds nothing corrects it. It
 * must never be late, which would delay a delivery. Claims advance it (claims.ts of an engine).
 *
 *   open ──pause──▶ paused ──resume──▶ open      nothing is claimed while paused
 *   open ──410────▶ gone   ──resume──▶ open      sweeps turn pending deliveries into dead letters
 *   any ──remove──▶ deleted                      sweeps delete pending deliveries
 */

/** Creates the empty queue of a new hook. */
export function createLane(hook: {
  readonly id: string
  readonly accountId: string
  readonly targetUrl: string
}): Work<number> {
  return run(
    `insert into lanes (hook_id, account_id, host, state) values (?1, ?2, ?3, 'open')`,
    ...[hook.id, hook.accountId, targetHost(hook.targetUrl)],
  )
}

/** Updates the lane for a changed target and resets its health. */
export function* updateLaneTarget(hookId: string, targetUrl: string): Work<void> {
  yield* run(
    'update lanes set host = ?1, health = null, not_before = null, deferred_until = null where hook_id = ?2',
    ...[targetHost(targetUrl), hookId],
  )
  yield* recomputeNextClaim(hookId)
}

/** Resets the health and makes lanes ready after a manual replay, since the target was presumably fixed. They are locked. */
export function resetLanes(hookIds: readonly string[], now: Date): Work<number> {
  return run(RESET, msOf(now), hookIds)
}

const RESET = sql(
  (d) => `update lanes set health = null, not_before = null, deferred_until = null, next_claim_at = ?1
    where hook_id ${d.among('?2', 'text')} and state = 'open'`,
)

export function pauseLane(hookId: string): Work<number> {
  return run(
    `update lanes set state = 'paused', next_claim_at = null, sweep_at = null where hook_id = ?1`,
    hookId,
  )
}

/** Resumes a paused or `gone` lane. Its deliveries are sent in the order of their due times. */
export function* openLane(hookId: string, now: Date): Work<void> {
  const open = `update lanes set state = 'open', sweep_at = null, released_at = ?1 where hook_id = ?2`
  yield* run(open, msOf(now), hookId)
  yield* recomputeNextClaim(hookId)
  yield* notifyWork()
}

/** Ends claims from the lane. `sweepEnded` handles its pending deliveries. */
export function endLane(hookId: string, state: 'gone' | 'deleted', now: Date): Work<number> {
  const end = 'update lanes set state = ?1, next_claim_at = null, sweep_at = ?2 where hook_id = ?3'
  return run(end, state, msOf(now), hookId)
}

/** Updates lanes with newly due deliveries; `dueMs` has the instants by hook. */
export function* advanceNextClaims(dueMs: ReadonlyMap<string, number>): Work<void> {
  if (dueMs.size === 0) return
  yield* together(lock(LOCK_LANES, [...dueMs.keys()]), runRows(ADVANCE, [...dueMs]))
  yield* notifyWork()
}

/**
 * PostgreSQL locks and updates lanes in two statements. One statement would use the values from its start, and a concurrent claim that did
 * not see the new deliveries could postpone the lane. A lane may also have ended since its hook was read; then it is swept again.
 */
const LOCK_LANES = 'select 1 from lanes where hook_id = any(?1::text[]) order by hook_id for no key update'
export const ADVANCE = {
  sqlite: `update lanes set next_claim_at = max(min(coalesce(next_claim_at, ?2), ?2), coalesce(not_before, 0))
    where hook_id = ?1 and state = 'open'
      and (next_claim_at is null or next_claim_at > max(?2, coalesce(not_before, 0)))`,
  postgres: `update lanes l set
      next_claim_at = case when state = 'open' then greatest(least(next_claim_at, v.at), not_before) end,
      sweep_at = case when state in ('gone', 'deleted') then least(sweep_at, v.at) end
    from unnest(?1::text[], ?2::bigint[]) as v (id, at)
    where hook_id = v.id and (
      (state = 'open' and (next_claim_at is null or next_claim_at > greatest(v.at, not_before)))
      or (state in ('gone', 'deleted') and (sweep_at is null or sweep_at > v.at)))`,
}

/**
 * Locks lanes before any change of pending deliveries, in a fixed order to avoid deadlocks. Claims and settles of
 * successes share the locks, because they never change the same delivery.
 */
export function lockLanes(hookIds: Iterable<string>): Work<void> {
  return lock('select 1 from lanes where hook_id = any(?1::text[]) order by hook_id for update', [
    ...new Set(hookIds),
  ])
}

/** Computes it from the pending deliveries, with the first rows of an index. */
export function* recomputeNextClaim(hookId: string): Work<void> {
  const dueMs = yield* leastDue(hookId)
  yield* run(RECOMPUTE, dueMs, hookId)
}

const RECOMPUTE = sql(
  (d) => `update lanes set
      next_claim_at = case when cast(?1 as bigint) is null then null else ${d.greatest('?1', 'coalesce(not_before, 0)')} end
    where hook_id = ?2 and state = 'open'`,
)

/** When the first pending delivery can be claimed; null without pending deliveries. */
export function* leastDue(hookId: string): Work<number | null> {
  return (yield* get<{ due_at: number | null }>(LEAST_DUE, hookId))?.due_at ?? null
}

export const LEAST_DUE = sql((d) => `select ${d.of(leastDueOf('?1'))} as due_at`)

/** The two parts of the index deliveries_due: first attempts (0) and retries (1). The index has another expression on each engine. */
export function isRetry(attempts: string, retried: 0 | 1): SqlPair {
  return { sqlite: `(${attempts} > 0) = ${retried}`, postgres: `least(${attempts}, 1) = ${retried}` }
}

/**
 * The time when the first pending delivery of a hook can be claimed: its due time or, if it is leased, the end of the lease. Null without
 * pending deliveries. Reads each part of deliveries_due up to the first row without a lease. Later rows are not leased, since claims take
 * the oldest first. With `min(due_at)` and outdated statistics PostgreSQL would read the whole backlog.
 */
export function leastDueOf(hookId: string): SqlPair {
  return { sqlite: onSqlite(hookId), postgres: onPostgres(hookId) }
}

function onSqlite(hookId: string): string {
  const pending = (retried: 0 | 1) =>
    `from deliveries where hook_id = ${hookId} and status = 'pending' and ${isRetry('attempts', retried).sqlite}`
  const part = (retried: 0 | 1) => `select min(
      coalesce(due, 9e15),
      coalesce((select min(leased_until) ${pending(retried)} and due_at < coalesce(due, 9e15)), 9e15)) as at
    from (select (select due_at ${pending(retried)} and leased_until is null order by due_at, seq limit 1) as due)`
  return `(select nullif(min(at), 9e15) from (${part(0)} union all ${part(1)}))`
}

function onPostgres(hookId: string): string {
  const pending = (retried: 0 | 1) =>
    `from deliveries where hook_id = ${hookId} and status = 'pending' and ${isRetry('attempts', retried).postgres}`
  const part = (retried: 0 | 1) => `(select least(due, (
      select min(leased_until) ${pending(retried)} and due_at < coalesce(due, ${Number.MAX_SAFE_INTEGER})))
    from (select (select due_at ${pending(retried)} and leased_until is null order by due_at, seq limit 1) as due) first)`
  return `least(${part(0)}, ${part(1)})`
}
