import { msOf } from '../../values.ts'
import { get, sql, type Work } from '../../work.ts'
import { hashKey, IS_SENDABLE } from './delivery-where.ts'
import { isEvent } from './event-ids.ts'
import { advanceNextClaims } from './lanes.ts'

const SEND_AGAIN = sql(
  (
    d,
  ) => `update deliveries as d set status = 'pending', attempts = 0, due_at = ?1, expires_at = ?2, delivered_at = null,
      resolved_at = null, replay_id = null
    where ${d.of(isEvent('d.seq', '?3'))} and d.account_id = ?4 and d.status = 'delivered'
      and exists (select 1 from hooks h where h.id = d.hook_id and ${IS_SENDABLE})
    returning hook_id`,
)

/** The body of `DeliveryStorage.sendAgain`. Retention starts at the next success. */
export function* sendAgain(
  accountId: string,
  eventId: string,
  now: Date,
  expireAfterMs: number,
): Work<boolean> {
  const key = hashKey(eventId)
  if (key === null) return false
  const sent = yield* get<{ hook_id: string }>(
    SEND_AGAIN,
    ...[msOf(now), msOf(now) + expireAfterMs, key, accountId],
  )
  if (sent === undefined) return false
  yield* advanceNextClaims(new Map([[sent.hook_id, msOf(now)]]))
  return true
}
