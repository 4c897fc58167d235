import { INBOX_EVENTS_MAX, INBOX_TARGET } from '../../../model/inbox.ts'
import { deleteEvents } from '../../tables/queue/events.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

export const INBOXES_AMONG = `select h.id from json_each(?) cross join hooks h on h.id = value where h.target_url = ?`

export const BEYOND_NEWEST = 'select seq from events where hook_id = ? order by seq desc limit -1 offset ?'

/** Deletes all but the newest events of the inboxes among these hooks. Call it inside a transaction. */
export function trimInboxes(db: Connection, hookIds: readonly string[]): void {
  for (const { id } of db.all<{ id: string }>(INBOXES_AMONG, JSON.stringify(hookIds), INBOX_TARGET)) {
    const excess = db.all<{ seq: number }>(BEYOND_NEWEST, id, INBOX_EVENTS_MAX)
    runSync(db, deleteEvents(excess.map(({ seq }) => seq)))
  }
}
