import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { IS_SENDABLE } from './dead-letter-rows.ts'
import { seqOfEvent } from './event-ids.ts'
import { advanceNextClaim } from './lanes.ts'

/** The body of `DeliveryStorage.sendAgain`. Retention starts at the next success. */
export function sendAgain(
  db: Connection,
  accountId: string,
  eventId: string,
  now: Date,
  expireAfterMs: number,
): boolean {
  const row = db.get<{ hook_id: string }>(
    `update deliveries as d set status = 'pending', attempts = 0, due_at = ?1, expires_at = ?2, delivered_at = null,
       resolved_at = null, replay_id = null
     where d.seq = ?3 and d.account_id = ?4 and d.status = 'delivered'
       and exists (select 1 from hooks h where h.id = d.hook_id and ${IS_SENDABLE})
     returning hook_id`,
    msOf(now),
    msOf(now) + expireAfterMs,
    seqOfEvent(db, eventId),
    accountId,
  )
  if (row === undefined) return false
  advanceNextClaim(db, row.hook_id, msOf(now))
  return true
}
