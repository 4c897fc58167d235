import {
  CLAIMED_COLUMNS,
  CLAIMING_LANE_COLUMNS,
  type ClaimedRow,
  type ClaimingLaneRow,
  claimedOf,
  LEASED_COLUMNS,
  laneOf,
} from '../delivery-rows.ts'
import { mayGiveMore } from '../lane-turn.ts'
import type { Allotment, ClaimedDelivery, DeliveryStorage } from '../port/deliveries.ts'
import { msOf } from '../values.ts'
import type { Database, Transaction } from './connect.ts'
import { bringTurnsForward, leastDueOf, lockLanes } from './lanes.ts'

/**
 * Claims look at lanes, not at deliveries: the lanes that have been ready longest, and of each the first rows of its part of
 * one index. So a claim costs the same however much is waiting, and a backlog of one hook cannot stand before another.
 * What is leased stays where it is in that index and is passed over: it is no more than can be sent at once. A claim is three
 * statements, whatever it takes. Its lock lets settles of successes pass, which change no lane.
 */

export const LANES_WHOSE_TURN_IT_IS = `select ${CLAIMING_LANE_COLUMNS} from lanes l join hooks h on h.id = l.hook_id
  where l.turn_at <= $1 and l.hook_id <> all ($2::text[]) and l.host <> all ($3::text[])
  order by l.turn_at limit $4 for no key update of l skip locked`

/**
 * For when all of those are locked: waits for a settle that is under way, some milliseconds, instead of telling the
 * sender that nothing is due. In the order of lockLanes, and in a transaction of its own: the one that skipped locked
 * rows may hold rows that it locked and then found to have changed.
 */
const LANES_WHOSE_TURN_IS_BEING_SET = `select ${CLAIMING_LANE_COLUMNS} from lanes l join hooks h on h.id = l.hook_id
  where l.turn_at <= $1 and l.hook_id in (
    select hook_id from lanes
    where turn_at <= $1 and hook_id <> all ($2::text[]) and host <> all ($3::text[]) order by turn_at limit $4)
  order by l.hook_id for no key update of l`

type Request = Parameters<DeliveryStorage['claim']>[0]

export async function claim(
  db: Database,
  request: Request,
  allot: Parameters<DeliveryStorage['claim']>[1],
): Promise<ClaimedDelivery[]> {
  return (
    (await claimFrom(db, LANES_WHOSE_TURN_IT_IS, request, allot)) ??
    (await claimFrom(db, LANES_WHOSE_TURN_IS_BEING_SET, request, allot)) ??
    []
  )
}

/** Null when there are no such lanes. */
async function claimFrom(
  db: Database,
  lanesInTurn: string,
  request: Request,
  allot: Parameters<DeliveryStorage['claim']>[1],
): Promise<ClaimedDelivery[] | null> {
  return db.leasing(async (tx) => {
    const { now, busyHooks, busyHosts, lanesMax } = request
    const lanes = await tx.all<ClaimingLaneRow>(lanesInTurn, msOf(now), busyHooks, busyHosts, lanesMax)
    if (lanes.length === 0) return null
    const allotments = allot(lanes.map(laneOf))
    const claimed = await lease(tx, request, lanes, allotments)

    const taken = Map.groupBy(claimed, ({ hookId }) => hookId)
    const served: Served[] = []
    let room = request.limit
    for (const { hook_id } of lanes) {
      const allotment = allotments.get(hook_id) ?? NOTHING
      // Out of room, not out of turn: the lane stays where it is for the next claim.
      if (allotment.take > 0 && room <= 0) continue
      const count = taken.get(hook_id)?.length ?? 0
      served.push({
        hookId: hook_id,
        allotment,
        hasMore: mayGiveMore(allotment, count, room),
      })
      room -= count
    }
    moveTurns(tx, served, msOf(request.now))
    return claimed
  })
}

/** Gives claims back; one whose lease is no longer ours stays as it is. */
export async function release(db: Database, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await db.transaction(async (tx) => {
    await lockLanes(
      tx,
      deliveries.map(({ hookId }) => hookId),
    )
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
    bringTurnsForward(tx, dueMs)
  })
}

/** One lane's due deliveries, oldest first, from its two parts of the index. */
const DUE_OF_LANE = `
  select due.seq, due.due_at, due.place_of_row from (
    (select seq, due_at, ctid as place_of_row from deliveries
     where hook_id = v.hook_id and status = 'pending' and least(attempts, 1) = 0 and due_at <= $3
       and (leased_until is null or leased_until <= $3)
     order by due_at, seq limit v.take)
    union all
    (select seq, due_at, ctid from deliveries
     where hook_id = v.hook_id and status = 'pending' and least(attempts, 1) = 1 and due_at <= $3
       and (leased_until is null or leased_until <= $3) and not $4
     order by due_at, seq limit v.take)
  ) due order by due.due_at, due.seq limit v.take`

/** Found again by the place of the version that was seen: one that was settled meanwhile has another, and is not leased. */
export const LEASE = `with taken as (
    select due.place_of_row from unnest($1::text[], $2::bigint[]) with ordinality as v (hook_id, take, place)
    cross join lateral (${DUE_OF_LANE}) due
    order by v.place, due.due_at, due.seq limit $5),
  d as (
    update deliveries d set leased_until = $6, lease = $7 from taken where d.ctid = taken.place_of_row
    returning ${LEASED_COLUMNS})
  select ${CLAIMED_COLUMNS} from d join events e on e.seq = d.seq`

/** In the order of the lanes, of each the oldest due first. */
async function lease(
  tx: Transaction,
  request: Request,
  lanes: readonly ClaimingLaneRow[],
  allotments: ReadonlyMap<string, Allotment>,
): Promise<ClaimedDelivery[]> {
  const giving = lanes.flatMap(({ hook_id }) => {
    const take = Math.min(allotments.get(hook_id)?.take ?? 0, request.limit)
    return take > 0 ? [{ hook_id, take }] : []
  })
  if (giving.length === 0) return []
  const rows = await tx.all<ClaimedRow>(
    LEASE,
    giving.map(({ hook_id }) => hook_id),
    giving.map(({ take }) => take),
    msOf(request.now),
    request.firstAttemptsOnly,
    request.limit,
    msOf(request.now) + request.leaseMs,
    request.lease,
  )
  // Put in order here: the database would sort whole rows, bodies and all.
  const place = new Map(giving.map(({ hook_id }, index) => [hook_id, index]))
  const placeOf = ({ hook_id }: ClaimedRow) => place.get(hook_id) ?? 0
  rows.sort((a, b) => placeOf(a) - placeOf(b) || a.due_at - b.due_at || a.seq - b.seq)
  return claimedOf(rows, lanes, request.lease)
}

const NOTHING: Allotment = { take: 0, notBefore: null }

type Served = { readonly hookId: string; readonly allotment: Allotment; readonly hasMore: boolean }

/**
 * A lane that may have more due deliveries goes behind all ready lanes, without another query; else it is ready when its next
 * delivery is due.
 */
function moveTurns(tx: Transaction, served: readonly Served[], nowMs: number): void {
  if (served.length === 0) return
  tx.send(
    MOVE_TURNS,
    served.map(({ hookId }) => hookId),
    served.map(({ allotment: { notBefore } }) => (notBefore === null ? null : msOf(notBefore))),
    served.map(({ allotment: { health } }) => health ?? null),
    nowMs,
    served.map(({ hasMore }) => hasMore),
  )
}

export const MOVE_TURNS = `update lanes l set
    turn_at = case when due.at is not null then greatest(due.at, $4, v.not_before) end,
    not_before = coalesce(v.not_before, l.not_before), health = coalesce(v.health, l.health)
  from unnest($1::text[], $2::bigint[], $3::text[], $5::boolean[]) as v (hook_id, not_before, health, has_more)
  cross join lateral (select case when v.has_more then $4 else ${leastDueOf('v.hook_id')} end as at) due
  where l.hook_id = v.hook_id`
