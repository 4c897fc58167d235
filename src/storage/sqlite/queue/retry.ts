import type { DeliveryStorage } from '../../port/deliveries.ts'
import { LANE_COLUMNS, type LaneRow, laneOf } from '../../queue/delivery-rows.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { seqOfEvent } from './event-ids.ts'
import { advanceNextClaim, leastDue } from './lanes.ts'
import { applyChange } from './settle.ts'

/** Manual retries. */
export function retryStorage(
  db: Connection,
): Pick<DeliveryStorage, 'retryNow' | 'retryEachNow' | 'retryPending' | 'changeLanes'> {
  return {
    retryNow: async (accountId, eventId, now) =>
      db.transaction(() => retryNow(db, accountId, eventId, now) !== null),

    retryEachNow: async (accountId, eventIds, now) =>
      db.transaction(() =>
        [...new Set(eventIds)].flatMap((eventId) => {
          const hookId = retryNow(db, accountId, eventId, now)
          return hookId === null ? [] : [{ eventId, hookId }]
        }),
      ),

    retryPending: async (accountId, hookIds, now, limit) =>
      db.transaction(() => {
        const moved = new Map<string, number>()
        let room = limit
        for (const hookId of new Set(hookIds)) {
          if (room === 0) break
          const count = db.run(RETRY_PENDING, msOf(now), hookId, accountId, room)
          if (count > 0) {
            moved.set(hookId, count)
            advanceNextClaim(db, hookId, msOf(now))
          }
          room -= count
        }
        return moved
      }),

    changeLanes: async (accountId, hookIds, now, change) =>
      db.transaction(() => {
        for (const hookId of new Set(hookIds)) {
          const lane = db.get<LaneRow>(
            `select ${LANE_COLUMNS} from lanes l join hooks h on h.id = l.hook_id
             where l.hook_id = ? and l.account_id = ?`,
            hookId,
            accountId,
          )
          if (lane !== undefined) applyChange(db, lane, change(laneOf(lane), now), now)
        }
      }),
  }
}

/** Pending deliveries of an open lane that are not leased. `?1` is the current time. */
const IS_WAITING = `d.status = 'pending' and (d.leased_until is null or d.leased_until <= ?1)
  and exists (select 1 from lanes l where l.hook_id = d.hook_id and l.account_id = d.account_id and l.state = 'open')`

/** Returns the hook; null when the delivery stays as it is. */
function retryNow(db: Connection, accountId: string, eventId: string, now: Date): string | null {
  const found = db.get<{ seq: number; hook_id: string }>(
    `select d.seq, d.hook_id from deliveries d where d.seq = ?2 and d.account_id = ?3 and ${IS_WAITING}`,
    msOf(now),
    seqOfEvent(db, eventId),
    accountId,
  )
  if (found === undefined) return null
  const dueMs = Math.min(msOf(now), (leastDue(db, found.hook_id) ?? msOf(now)) - 1)
  db.run(
    'update deliveries set due_at = ?, lease = null, leased_until = null where seq = ?',
    dueMs,
    found.seq,
  )
  advanceNextClaim(db, found.hook_id, dueMs)
  return found.hook_id
}

/** One part of deliveries_due: first attempts or retries. */
const pendingAfter = (retried: 0 | 1) => `select d.seq, d.due_at from deliveries d
  where d.hook_id = ?2 and d.status = 'pending' and (d.attempts > 0) = ${retried} and d.due_at > ?1
    and d.account_id = ?3 and ${IS_WAITING}`

export const RETRY_PENDING = `update deliveries set due_at = ?1, lease = null, leased_until = null
  where seq in (select seq from (${pendingAfter(0)} union all ${pendingAfter(1)}) order by due_at, seq limit ?4)`
