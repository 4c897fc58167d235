import { INBOX_EVENTS_MAX, INBOX_TARGET } from '../../../model/inbox.ts'
import { deleteEvents } from '../../tables/queue/events.ts'
import { runAsync } from '../../work.ts'
import type { Transaction } from '../connect.ts'

/**
 * Differs from sqlite: skips a delivery that another transaction settles, so that neither waits for the other. The next
 * fan-out deletes it.
 */
export const BEYOND_NEWEST = `select d.seq from hooks h
  cross join lateral (select seq from events where hook_id = h.id order by seq desc offset $3) excess
  join deliveries d on d.seq = excess.seq
  where h.id = any($1::text[]) and h.target_url = $2
  for update of d skip locked`

/** Deletes all but the newest events of the inboxes among these hooks. Call it inside a transaction. */
export async function trimInboxes(tx: Transaction, hookIds: readonly string[]): Promise<void> {
  if (hookIds.length === 0) return
  const excess = await tx.all<{ seq: number }>(BEYOND_NEWEST, hookIds, INBOX_TARGET, INBOX_EVENTS_MAX)
  await runAsync(tx, deleteEvents(excess.map(({ seq }) => seq)))
}
