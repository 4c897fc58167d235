import type { Connection } from './connect.ts'

/**
 * Opens a hook's lane again: its turn is when the first of what is pending is due, but not before the sender's own
 * wait is over.
 */
export function openLane(db: Connection, hookId: string): void {
  const { due_at } = db.get<{ due_at: number | null }>(
    // Two looks at the ends of one index instead of a scan over all that is pending.
    `select min(due_at) as due_at from (
       select min(due_at) as due_at from deliveries where hook_id = ?1 and status = 'pending' and (attempts > 0) = 0
       union all
       select min(due_at) from deliveries where hook_id = ?1 and status = 'pending' and (attempts > 0) = 1)`,
    hookId,
  ) ?? { due_at: null }
  db.run(
    `update lanes set state = 'open', sweep_at = null, turn_at = max(?1, coalesce(not_before, ?1)) where hook_id = ?2`,
    due_at,
    hookId,
  )
}

/** What is pending stays as it is, and no claim looks at it. */
export function pauseLane(db: Connection, hookId: string): void {
  db.run("update lanes set state = 'paused', turn_at = null where hook_id = ?", hookId)
}
