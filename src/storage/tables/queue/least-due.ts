import type { SqlPair } from '../../work.ts'

/** The two parts of the index deliveries_due: first attempts (0) and retries (1). The index has another expression on each engine. */
export function isRetry(attempts: string, retried: 0 | 1): SqlPair {
  return { sqlite: `(${attempts} > 0) = ${retried}`, postgres: `least(${attempts}, 1) = ${retried}` }
}

/**
 * The time when the first pending delivery of a hook can be claimed: its due time or, if it is leased, the end of the
 * lease. Null without pending deliveries. Reads each part of deliveries_due up to the first row without a lease. Later
 * rows are not leased, since claims take the oldest first. With `min(due_at)` and outdated statistics PostgreSQL would read the whole backlog.
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
