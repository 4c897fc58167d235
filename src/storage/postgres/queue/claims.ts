import type { Allocation, ClaimedDelivery, DeliveryStorage } from '../../port/deliveries.ts'
import {
  CLAIMED_COLUMNS,
  CLAIMING_LANE_COLUMNS,
  type ClaimedRow,
  type ClaimingLaneRow,
  claimedOf,
  LEASED_COLUMNS,
  laneOf,
  mayHaveMore,
} from '../../tables/queue/claim-rows.ts'
import { advanceNextClaims, leastDueOf, lockLanes } from '../../tables/queue/lanes.ts'
import { msOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import type { Database, Transaction } from '../connect.ts'

/**
 * A claim reads the lanes that have been ready longest, and the first rows of each in one index. So its cost does not depend on the
 * backlog, and the backlog of one hook does not delay another. Leased deliveries stay in that index and are skipped; they are at most as
 * many as can be sent at once. A claim is three statements, whatever its size. Its lock does not block settles of successes, which change
 * no lane. Differs from sqlite: several nodes claim at once, so it skips locked lanes.
 */

export const SELECT_READY_LANES = `select ${CLAIMING_LANE_COLUMNS} from lanes l join hooks h on h.id = l.hook_id
  where l.next_claim_at <= $1 and l.hook_id <> all ($2::text[]) and l.host <> all ($3::text[])
  order by l.next_claim_at limit $4 for no key update of l skip locked`

/** Finds any ready lane. Takes no lock and does not wait. */
export const SOME_LANE = `select 1 from lanes
  where next_claim_at <= $1 and hook_id <> all ($2::text[]) and host <> all ($3::text[]) limit 1`

/**
 * Used when all ready lanes are locked: waits some milliseconds for a running settle, since otherwise the queue would
 * look empty to the sender. It locks in the order of lockLanes, in a new transaction: the one that skipped locked rows
 * may hold locks on changed rows.
 */
const LOCK_READY_LANES = `select ${CLAIMING_LANE_COLUMNS} from lanes l join hooks h on h.id = l.hook_id
  where l.next_claim_at <= $1 and l.hook_id in (
    select hook_id from lanes
    where next_claim_at <= $1 and hook_id <> all ($2::text[]) and host <> all ($3::text[]) order by next_claim_at limit $4)
  order by l.hook_id for no key update of l`

type Request = Parameters<DeliveryStorage['claim']>[0]

export async function claim(
  db: Database,
  request: Request,
  allocate: Parameters<DeliveryStorage['claim']>[1],
): Promise<ClaimedDelivery[]> {
  const claimed = await claimFrom(db, SELECT_READY_LANES, request, allocate)
  if (claimed !== null) return claimed
  const { now, busyHooks, busyHosts } = request
  if ((await db.get(SOME_LANE, msOf(now), busyHooks, busyHosts)) === undefined) return []
  return (await claimFrom(db, LOCK_READY_LANES, request, allocate)) ?? []
}

/** Returns null when the query selects no lane. */
async function claimFrom(
  db: Database,
  selectLanes: string,
  request: Request,
  allocate: Parameters<DeliveryStorage['claim']>[1],
): Promise<ClaimedDelivery[] | null> {
  return db.leasing(async (tx) => {
    const { now, busyHooks, busyHosts, lanesMax } = request
    const lanes = await tx.all<ClaimingLaneRow>(selectLanes, msOf(now), busyHooks, busyHosts, lanesMax)
    if (lanes.length === 0) return null
    const allocations = allocate(lanes.map(laneOf), request.now)
    const claimed = await lease(tx, request, lanes, allocations)

    const taken = Map.groupBy(claimed, ({ hookId }) => hookId)
    const served: Served[] = []
    let room = request.limit
    for (const { hook_id } of lanes) {
      const allocation = allocations.get(hook_id) ?? NONE
      // The claim is full, so this lane stays first for the next one.
      if (allocation.take > 0 && room <= 0) continue
      const count = taken.get(hook_id)?.length ?? 0
      served.push({
        hookId: hook_id,
        allocation,
        hasMore: mayHaveMore(allocation, count, room),
      })
      room -= count
    }
    updateNextClaims(tx, served, msOf(request.now))
    return claimed
  })
}

/** Releases claims. One whose lease has ended is unchanged. */
export async function release(db: Database, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await db.transaction(async (tx) => {
    await runAsync(tx, lockLanes(deliveries.map(({ hookId }) => hookId)))
    const released = await tx.all<{ hook_id: string; due_at: number }>(
      `update deliveries d set lease = null, leased_until = null
       from unnest($1::bigint[], $2::text[]) as v (seq, lease)
       where d.seq = v.seq and d.lease = v.lease and d.status = 'pending' returning d.hook_id, d.due_at`,
      deliveries.map(({ seq }) => seq),
      deliveries.map(({ lease }) => lease),
    )
    const dueMs = new Map<string, number>()
    for (const { hook_id, due_at } of released) {
      dueMs.set(hook_id, Math.min(dueMs.get(hook_id) ?? due_at, due_at))
    }
    await runAsync(tx, advanceNextClaims(dueMs))
  })
}

/** The due deliveries of a lane, oldest first, from the two parts of the index. */
const DUE_OF_LANE = `
  select due.seq, due.due_at, due.row_ctid from (
    (select seq, due_at, ctid as row_ctid from deliveries
     where hook_id = v.hook_id and status = 'pending' and least(attempts, 1) = 0 and due_at <= $3
       and (leased_until is null or leased_until <= $3)
     order by due_at, seq limit v.take)
    union all
    (select seq, due_at, ctid from deliveries
     where hook_id = v.hook_id and status = 'pending' and least(attempts, 1) = 1 and due_at <= $3
       and (leased_until is null or leased_until <= $3) and not $4
     order by due_at, seq limit v.take)
  ) due order by due.due_at, due.seq limit v.take`

/**
 * Finds rows by ctid, the physical position of the version that was read. A delivery settled in the meantime has a new
 * ctid and is not leased.
 */
export const LEASE = `with taken as (
    select due.row_ctid from unnest($1::text[], $2::bigint[]) with ordinality as v (hook_id, take, place)
    cross join lateral (${DUE_OF_LANE}) due
    order by v.place, due.due_at, due.seq limit $5),
  d as (
    update deliveries d set leased_until = $6, lease = $7 from taken where d.ctid = taken.row_ctid
    returning ${LEASED_COLUMNS})
  select ${CLAIMED_COLUMNS} from d join events e on e.seq = d.seq`

/** Returns the deliveries in the order of the lanes, oldest first within a lane. */
async function lease(
  tx: Transaction,
  request: Request,
  lanes: readonly ClaimingLaneRow[],
  allocations: ReadonlyMap<string, Allocation>,
): Promise<ClaimedDelivery[]> {
  const shares = lanes.flatMap(({ hook_id }) => {
    const take = Math.min(allocations.get(hook_id)?.take ?? 0, request.limit)
    return take > 0 ? [{ hook_id, take }] : []
  })
  if (shares.length === 0) return []
  const rows = await tx.all<ClaimedRow>(
    LEASE,
    shares.map(({ hook_id }) => hook_id),
    shares.map(({ take }) => take),
    msOf(request.now),
    request.firstAttemptsOnly,
    request.limit,
    msOf(request.now) + request.leaseMs,
    request.lease,
  )
  // Sorted here, because the database would sort rows with their bodies.
  const place = new Map(shares.map(({ hook_id }, index) => [hook_id, index]))
  const placeOf = ({ hook_id }: ClaimedRow) => place.get(hook_id) ?? 0
  rows.sort((a, b) => placeOf(a) - placeOf(b) || a.due_at - b.due_at || a.seq - b.seq)
  return claimedOf(rows, lanes, request.lease)
}

const NONE: Allocation = { take: 0, notBefore: null }

type Served = { readonly hookId: string; readonly allocation: Allocation; readonly hasMore: boolean }

/**
 * A lane that may have more due deliveries goes behind all ready lanes, without another query. Any other lane is ready
 * when its next delivery is due.
 */
function updateNextClaims(tx: Transaction, served: readonly Served[], nowMs: number): void {
  if (served.length === 0) return
  tx.send(
    SYNC_NEXT_CLAIMS,
    served.map(({ hookId }) => hookId),
    served.map(({ allocation: { notBefore } }) => (notBefore === null ? null : msOf(notBefore))),
    served.map(({ allocation: { health } }) => health ?? null),
    nowMs,
    served.map(({ hasMore }) => hasMore),
  )
}

export const SYNC_NEXT_CLAIMS = `update lanes l set
    next_claim_at = case when due.at is not null then greatest(due.at, $4, v.not_before) end,
    not_before = coalesce(v.not_before, l.not_before), health = coalesce(v.health, l.health)
  from unnest($1::text[], $2::bigint[], $3::text[], $5::boolean[]) as v (hook_id, not_before, health, has_more)
  cross join lateral (select case when v.has_more then $4 else ${leastDueOf('v.hook_id').postgres} end as at) due
  where l.hook_id = v.hook_id`
