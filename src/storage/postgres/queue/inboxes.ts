import { INBOX_EVENTS_MAX, INBOX_TARGET } from '../../../model/inbox.ts'
import type { Transaction } from '../connect.ts'
import { drop } from './sweeps.ts'

/**
 * differs from sqlite: a delivery that another transaction settles is skipped, so that neither waits for the other; the next
 * fan-out deletes it.
 */
export const BEYOND_NEWEST = `select d.seq from hooks h
  cross join lateral (select seq from events where hook_id = h.id order by seq desc offset $3) beyond
  join deliveries d on d.seq = beyond.seq
  where h.id = any($1::text[]) and h.target_url = $2
  for update of d skip locked`

/** Deletes the oldest events of the inboxes among these hooks, beyond what an inbox keeps. Inside a transaction. */
export async function trimInboxes(tx: Transaction, hookIds: readonly string[]): Promise<void> {
  if (hookIds.length === 0) return
  const beyond = await tx.all<{ seq: number }>(BEYOND_NEWEST, hookIds, INBOX_TARGET, INBOX_EVENTS_MAX)
  await drop(
    tx,
    beyond.map(({ seq }) => seq),
  )
}
