import type { DeliveryStorage } from '../../port/deliveries.ts'
import { hashKey } from '../../tables/queue/delivery-where.ts'
import { msOf } from '../../values.ts'
import type { Database, Transaction } from '../connect.ts'
import { advanceNextClaims, leastDue, lockLanes } from './lanes.ts'
import { changeLanes } from './settle.ts'

/** Manual retries. */
export function retryStorage(
  db: Database,
): Pick<DeliveryStorage, 'retryNow' | 'retryEachNow' | 'retryPending' | 'changeLanes'> {
  return {
    retryNow: (accountId, eventId, now) =>
      db.transaction(async (tx) => (await retryNow(tx, accountId, eventId, now)) !== null),

    retryEachNow: (accountId, eventIds, now) =>
      db.transaction(async (tx) => {
        const unique = [...new Set(eventIds)]
        const keys = unique.map(hashKey).filter((key) => key !== null)
        const hooks = await tx.all<{ hook_id: string }>(
          'select distinct hook_id from events where event_id = any($1::bytea[]) and account_id = $2',
          keys,
          accountId,
        )
        // All at once, in their order: one after the other could wait for each other.
        await lockLanes(
          tx,
          hooks.map(({ hook_id }) => hook_id),
        )
        const moved: { eventId: string; hookId: string }[] = []
        for (const eventId of unique) {
          const hookId = await retryNow(tx, accountId, eventId, now)
          if (hookId !== null) moved.push({ eventId, hookId })
        }
        return moved
      }),

    retryPending: (accountId, hookIds, now, limit) =>
      db.transaction(async (tx) => {
        await lockLanes(tx, hookIds)
        const moved = new Map<string, number>()
        let room = limit
        for (const hookId of new Set(hookIds)) {
          if (room === 0) break
          const count = await tx.run(RETRY_PENDING, msOf(now), hookId, accountId, room)
          if (count > 0) moved.set(hookId, count)
          room -= count
        }
        advanceNextClaims(tx, new Map([...moved.keys()].map((hookId) => [hookId, msOf(now)])))
        return moved
      }),

    changeLanes: (accountId, hookIds, now, change) =>
      db.transaction((tx) => changeLanes(tx, accountId, hookIds, now, change)),
  }
}

/** Pending deliveries of an open lane that are not leased. `$1` is the current time. */
const IS_WAITING = `d.status = 'pending' and (d.leased_until is null or d.leased_until <= $1)
  and exists (select 1 from lanes l where l.hook_id = d.hook_id and l.account_id = d.account_id and l.state = 'open')`

/** Returns the hook; null when the delivery stays as it is. */
async function retryNow(
  tx: Transaction,
  accountId: string,
  eventId: string,
  now: Date,
): Promise<string | null> {
  const key = hashKey(eventId)
  if (key === null) return null
  const event = await tx.get<{ seq: number; hook_id: string }>(
    'select seq, hook_id from events where event_id = $1 and account_id = $2',
    key,
    accountId,
  )
  if (event === undefined) return null
  await lockLanes(tx, [event.hook_id])
  const dueMs = Math.min(msOf(now), ((await leastDue(tx, event.hook_id)) ?? msOf(now)) - 1)
  const moved = await tx.run(
    `update deliveries d set due_at = $2, lease = null, leased_until = null where d.seq = $3 and ${IS_WAITING}`,
    msOf(now),
    dueMs,
    event.seq,
  )
  if (moved === 0) return null
  advanceNextClaims(tx, new Map([[event.hook_id, dueMs]]))
  return event.hook_id
}

/** One part of deliveries_due: first attempts or retries. */
const pendingAfter = (retried: 0 | 1) => `select d.seq, d.due_at from deliveries d
  where d.hook_id = $2 and d.status = 'pending' and least(d.attempts, 1) = ${retried} and d.due_at > $1
    and d.account_id = $3 and ${IS_WAITING}`

const RETRY_PENDING = `update deliveries set due_at = $1, lease = null, leased_until = null
  where seq in (select seq from (${pendingAfter(0)} union all ${pendingAfter(1)}) later order by due_at, seq limit $4)`
