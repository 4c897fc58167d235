import { INBOX_EVENTS_MAX, INBOX_TARGET } from '../../../model/inbox.ts'
import { all, sql, type Work } from '../../work.ts'
import { deleteEvents } from './events.ts'

export const INBOXES_AMONG = sql(
  (d) => `select id from hooks where id ${d.among('?1', 'text')} and target_url = ?2`,
)

/** Skips a delivery that another transaction settles, so that neither waits for the other. The next fan-out deletes it. */
export const BEYOND_NEWEST = sql(
  (d) => `select d.seq from (
      select seq from events where hook_id = ?1 order by seq desc limit ${Number.MAX_SAFE_INTEGER} offset ?2) excess
    ${d.thenJoin} deliveries d on d.seq = excess.seq ${d.forUpdate('of d skip locked')}`,
)

/** Deletes all but the newest events of the inboxes among these hooks. Call it inside a transaction. */
export function* trimInboxes(hookIds: readonly string[]): Work<void> {
  if (hookIds.length === 0) return
  for (const { id } of yield* all<{ id: string }>(INBOXES_AMONG, hookIds, INBOX_TARGET)) {
    const excess = yield* all<{ seq: number }>(BEYOND_NEWEST, id, INBOX_EVENTS_MAX)
    yield* deleteEvents(excess.map(({ seq }) => seq))
  }
}
