import { hashKey } from '../../tables/queue/delivery-where.ts'
import { msOf } from '../../values.ts'
import type { Transaction } from '../connect.ts'
import { IS_SENDABLE } from './dead-letter-rows.ts'
import { advanceNextClaims } from './lanes.ts'

/** The body of `DeliveryStorage.sendAgain`. Retention starts at the next success. */
export async function sendAgain(
  tx: Transaction,
  accountId: string,
  eventId: string,
  now: Date,
  expireAfterMs: number,
): Promise<boolean> {
  const key = hashKey(eventId)
  if (key === null) return false
  const row = await tx.get<{ hook_id: string }>(
    `update deliveries d set status = 'pending', attempts = 0, due_at = $1, expires_at = $2, delivered_at = null,
       resolved_at = null, replay_id = null
     from events e where d.seq = e.seq and e.event_id = $3 and e.account_id = $4 and d.status = 'delivered'
       and exists (select 1 from hooks h where h.id = d.hook_id and ${IS_SENDABLE})
     returning d.hook_id`,
    msOf(now),
    msOf(now) + expireAfterMs,
    key,
    accountId,
  )
  if (row === undefined) return false
  advanceNextClaims(tx, new Map([[row.hook_id, msOf(now)]]))
  return true
}
