import type { Allocation, ClaimedDelivery, DeliveryStorage } from '../../port/deliveries.ts'
import {
  CLAIMED_COLUMNS,
  CLAIMING_LANE_COLUMNS,
  type ClaimedRow,
  type ClaimingLaneRow,
  claimedOf,
  laneOf,
  mayHaveMore,
} from '../../tables/queue/claim-rows.ts'
import { LEAST_DUE, recomputeNextClaim } from '../../tables/queue/lanes.ts'
import { msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

/**
 * A claim reads the lanes that have been ready longest, and the first rows of each in one index. Its cost therefore does not depend on the
 * backlog, and the backlog of one hook does not delay another. It skips leased deliveries, which are also in that index, but no more than
 * the sender's concurrency. Differs from postgres: one writer, so nothing is locked, and a statement for each lane, which costs less here
 * than a list.
 */

export const SELECT_READY_LANES = `select ${CLAIMING_LANE_COLUMNS} from lanes l join hooks h on h.id = l.hook_id
  where l.next_claim_at <= ? and l.hook_id not in (select value from json_each(?))
    and l.host not in (select value from json_each(?))
  order by l.next_claim_at limit ?`

export const DUE_OF_LANE = `select seq, due_at from deliveries
  where hook_id = ?1 and status = 'pending' and (attempts > 0) = ?2 and due_at <= ?3
    and (leased_until is null or leased_until <= ?3)
  order by due_at, seq limit ?4`

type Request = Parameters<DeliveryStorage['claim']>[0]

export function claim(
  db: Connection,
  request: Request,
  allocate: Parameters<DeliveryStorage['claim']>[1],
): ClaimedDelivery[] {
  return db.leasing(() => {
    const nowMs = msOf(request.now)
    const lanes = db.all<ClaimingLaneRow>(
      SELECT_READY_LANES,
      nowMs,
      JSON.stringify(request.busyHooks),
      JSON.stringify(request.busyHosts),
      request.lanesMax,
    )
    if (lanes.length === 0) return []
    const allocations = allocate(lanes.map(laneOf), request.now)

    const taken: number[] = []
    const served: Served[] = []
    for (const lane of lanes) {
      const allocation = allocations.get(lane.hook_id) ?? NONE
      const room = Math.min(allocation.take, request.limit - taken.length)
      // The claim is full, so this lane stays first for the next one.
      if (allocation.take > 0 && room <= 0) continue
      const due = oldestDue(db, lane.hook_id, nowMs, room, request.firstAttemptsOnly)
      taken.push(...due)
      served.push({ hookId: lane.hook_id, allocation, hasMore: mayHaveMore(allocation, due.length, room) })
    }
    const claimed = lease(db, taken, nowMs + request.leaseMs, request.lease, lanes)
    for (const each of served) updateNextClaim(db, each, nowMs)
    return claimed
  })
}

/** Releases claims. One whose lease has ended is unchanged. */
export function release(db: Connection, deliveries: readonly ClaimedDelivery[]): void {
  db.transaction(() => {
    const released = deliveries.filter(
      ({ seq, lease }) =>
        db.run(
          `update deliveries set lease = null, leased_until = null
           where seq = ? and lease = ? and status = 'pending'`,
          seq,
          lease,
        ) > 0,
    )
    // Their due times may have moved since the claim.
    for (const hookId of new Set(released.map((delivery) => delivery.hookId)))
      runSync(db, recomputeNextClaim(hookId))
  })
}

function oldestDue(
  db: Connection,
  hookId: string,
  nowMs: number,
  limit: number,
  firstAttemptsOnly: boolean,
): number[] {
  if (limit <= 0) return []
  const due = (retried: 0 | 1) =>
    db.all<{ seq: number; due_at: number }>(DUE_OF_LANE, hookId, retried, nowMs, limit)
  const rows = firstAttemptsOnly ? due(0) : [...due(0), ...due(1)]
  return rows
    .sort((a, b) => a.due_at - b.due_at || a.seq - b.seq)
    .slice(0, limit)
    .map(({ seq }) => seq)
}

/** In the order of `seqs`. */
function lease(
  db: Connection,
  seqs: readonly number[],
  untilMs: number,
  lease: string,
  lanes: readonly ClaimingLaneRow[],
): ClaimedDelivery[] {
  if (seqs.length === 0) return []
  const list = JSON.stringify(seqs)
  db.run(
    'update deliveries set lease = ?, leased_until = ? where seq in (select value from json_each(?))',
    lease,
    untilMs,
    list,
  )
  const rows = db.all<ClaimedRow>(
    `select ${CLAIMED_COLUMNS} from json_each(?) j
     cross join deliveries d on d.seq = j.value
     join events e on e.seq = d.seq
     order by j.key`,
    list,
  )
  return claimedOf(rows, lanes, lease)
}

const NONE: Allocation = { take: 0, notBefore: null }

type Served = { readonly hookId: string; readonly allocation: Allocation; readonly hasMore: boolean }

/**
 * A lane that may have more due deliveries goes behind all ready lanes, without another query. Any other lane is ready
 * when its next delivery is due.
 */
function updateNextClaim(db: Connection, { hookId, allocation, hasMore }: Served, nowMs: number): void {
  const { notBefore, health } = allocation
  const dueMs = hasMore
    ? nowMs
    : (db.get<{ due_at: number | null }>(LEAST_DUE.sqlite, hookId)?.due_at ?? null)
  const notBeforeMs = notBefore === null ? null : msOf(notBefore)
  db.run(
    `update lanes set next_claim_at = ?, not_before = coalesce(?, not_before), health = coalesce(?, health)
     where hook_id = ?`,
    dueMs === null ? null : Math.max(dueMs, nowMs, notBeforeMs ?? 0),
    notBeforeMs,
    health ?? null,
    hookId,
  )
}
