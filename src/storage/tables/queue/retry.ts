import type { DeliveryStorage } from '../../port/deliveries.ts'
import { msOf } from '../../values.ts'
import { all, type Db, get, run, sql, type Work } from '../../work.ts'
import { hashKey, IS_SENDABLE } from './delivery-where.ts'
import { isEvent, seqsOfEvents } from './events.ts'
import { advanceNextClaims, isRetry, leastDue, lockLanes } from './lanes.ts'

/** Manual retries. */
export function retryStorage(db: Db): Pick<DeliveryStorage, 'retryNow' | 'retryEachNow' | 'retryPending'> {
  return {
    retryNow: (accountId, eventId, now) =>
      db.transaction(function* () {
        return (yield* retryNow(accountId, eventId, now)) !== null
      }),

    retryEachNow: (accountId, eventIds, now) =>
      db.transaction(function* () {
        const hooks = yield* all<{ hook_id: string }>(HOOKS, yield* seqsOfEvents(eventIds), accountId)
        // All at once, in their order: one after the other could wait for each other.
        yield* lockLanes(hooks.map(({ hook_id }) => hook_id))
        const moved: { eventId: string; hookId: string }[] = []
        for (const eventId of new Set(eventIds)) {
          const hookId = yield* retryNow(accountId, eventId, now)
          if (hookId !== null) moved.push({ eventId, hookId })
        }
        return moved
      }),

    retryPending: (accountId, hookIds, now, limit) =>
      db.transaction(function* () {
        yield* lockLanes(hookIds)
        const moved = new Map<string, number>()
        let room = limit
        for (const hookId of new Set(hookIds)) {
          if (room === 0) break
          const count = yield* run(RETRY_PENDING, msOf(now), hookId, accountId, room)
          if (count > 0) moved.set(hookId, count)
          room -= count
        }
        yield* advanceNextClaims(new Map([...moved.keys()].map((hookId) => [hookId, msOf(now)])))
        return moved
      }),
  }
}

const HOOKS = sql(
  (d) => `select distinct hook_id from events where seq ${d.among('?1', 'bigint')} and account_id = ?2`,
)

const EVENT = sql(
  (d) => `select e.seq, e.hook_id from events e where ${d.of(isEvent('e.seq', '?1'))} and e.account_id = ?2`,
)

/** Pending deliveries of an open lane that are not leased. `?1` is the current time. */
const IS_WAITING = `d.status = 'pending' and (d.leased_until is null or d.leased_until <= ?1)
  and exists (select 1 from lanes l where l.hook_id = d.hook_id and l.account_id = d.account_id and l.state = 'open')`

/** Returns the hook; null when the delivery stays as it is. */
function* retryNow(accountId: string, eventId: string, now: Date): Work<string | null> {
  const key = hashKey(eventId)
  const event = key && (yield* get<{ seq: number; hook_id: string }>(EVENT, key, accountId))
  if (event === null || event === undefined) return null
  yield* lockLanes([event.hook_id])
  const dueMs = Math.min(msOf(now), ((yield* leastDue(event.hook_id)) ?? msOf(now)) - 1)
  const moved = yield* run(
    `update deliveries as d set due_at = ?2, lease = null, leased_until = null where d.seq = ?3 and ${IS_WAITING}`,
    ...[msOf(now), dueMs, event.seq],
  )
  if (moved === 0) return null
  yield* advanceNextClaims(new Map([[event.hook_id, dueMs]]))
  return event.hook_id
}

/** From the two parts of deliveries_due. */
const RETRY_PENDING = sql((d) => {
  const pendingAfter = (retried: 0 | 1) => `select d.seq, d.due_at from deliveries d
    where d.hook_id = ?2 and d.status = 'pending' and ${d.of(isRetry('d.attempts', retried))} and d.due_at > ?1
      and d.account_id = ?3 and ${IS_WAITING}`
  return `update deliveries set due_at = ?1, lease = null, leased_until = null
    where seq in (
      select seq from (${pendingAfter(0)} union all ${pendingAfter(1)}) later order by due_at, seq limit ?4)`
})

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
