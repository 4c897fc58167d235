import { hashKey } from '../delivery-where.ts'
import { msOf } from '../values.ts'
import type { Connection } from './connect.ts'
import { CAN_BE_SENT } from './dead-letters.ts'
import { bringTurnForward } from './lanes.ts'

/** The body of `DeliveryStorage.sendAgain`. Retention counts from the next success on. */
export function sendAgain(
  db: Connection,
  accountId: string,
  eventId: string,
  now: Date,
  giveUpAfterMs: number,
): boolean {
  const key = hashKey(eventId)
  if (key === null) return false
  const row = db.get<{ hook_id: string }>(
    `update deliveries as d set status = 'pending', attempts = 0, due_at = ?1, give_up_at = ?2, delivered_at = null,
       resolved_at = null, replay_id = null
     where d.seq = (select seq from events where event_id = ?3) and d.account_id = ?4 and d.status = 'delivered'
       and exists (select 1 from hooks h where h.id = d.hook_id and ${CAN_BE_SENT})
     returning hook_id`,
    msOf(now),
    msOf(now) + giveUpAfterMs,
    key,
    accountId,
  )
  if (row === undefined) return false
  bringTurnForward(db, row.hook_id, msOf(now))
  return true
}
