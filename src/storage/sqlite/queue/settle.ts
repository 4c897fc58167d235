import type { Store } from '../../../model/vocabulary.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { DeliveryStorage, LaneChange, NextStep, Settled } from '../../port/deliveries.ts'
import { updatePollSet } from '../../tables/feeds/coverage.ts'
import { acceptedByText, LANE_COLUMNS, type LaneRow, laneOf } from '../../tables/queue/claim-rows.ts'
import { recordOf } from '../../tables/queue/deliveries.ts'
import { ADVANCE, endLane, recomputeNextClaim } from '../../tables/queue/lanes.ts'
import { hoursOf, INCREMENT_HOURS } from '../../tables/queue/latency.ts'
import { msOf, msOrNull } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

/**
 * Commits the results of attempts. The states of a delivery:
 *
 *   pending ──2xx──▶ delivered                      (resolved, if it was ever a dead letter)
 *   pending ──failure──▶ pending, due later         in a gone lane: dead; in a deleted one: deleted by a sweep
 *   pending ──last attempt──▶ dead
 *
 * Differs from postgres: one writer, so nothing is locked, and statements for each delivery, which cost less here than a list.
 */
export function settle(
  db: Connection,
  settled: readonly Settled[],
  now: Instant,
  change: Parameters<DeliveryStorage['settle']>[2],
  mayBeStored = false,
): void {
  if (settled.length === 0) return
  db.transaction(() => {
    const fresh = mayBeStored ? settled.filter((each) => !isStored(db, each)) : settled
    for (const [hookId, ofLane] of Map.groupBy(fresh, ({ delivery }) => delivery.hookId)) {
      const lane = db.get<LaneRow>(LANE, hookId)
      // Retention has deleted the hook.
      if (lane === undefined) continue
      const changed = change(laneOf(lane), ofLane, now)
      const gone = lane.state === 'gone' || (changed.gone && lane.state !== 'deleted')
      const steps = ofLane.map((each) => ({ ...each, next: gone ? deadIfPending(each.next) : each.next }))
      applyChange(db, lane, changed, now)
      settleLane(db, hookId, steps, now)
      for (const row of hoursOf(lane, steps, now)) db.run(INCREMENT_HOURS.sqlite, ...row)
    }
  })
}

/** Two attempts of a delivery never have the same record, because they start at different instants. */
function isStored(db: Connection, { delivery, attempt }: Settled): boolean {
  return (
    db.get(
      'select 1 from attempts where delivery_seq = ? and record = ?',
      delivery.seq,
      recordOf(attempt),
    ) !== undefined
  )
}

/** The body of `DeliveryStorage.changeLanes`. */
export function changeLanes(
  db: Connection,
  ...[accountId, hookIds, now, change]: Parameters<DeliveryStorage['changeLanes']>
): void {
  db.transaction(() => {
    for (const hookId of new Set(hookIds)) {
      const lane = db.get<LaneRow>(`${LANE} and l.account_id = ?`, hookId, accountId)
      if (lane !== undefined) applyChange(db, lane, change(laneOf(lane), now), now)
    }
  })
}

const LANE = `select ${LANE_COLUMNS} from lanes l join hooks h on h.id = l.hook_id where l.hook_id = ?`

/** Writes the sender's changes of a lane. Call it inside a transaction. */
function applyChange(db: Connection, lane: LaneRow, change: LaneChange, now: Instant): void {
  const { health, notBefore, notices, gone } = change
  if (health !== null || notBefore !== null) {
    const notBeforeMs = msOrNull(notBefore)
    db.run(
      `update lanes set health = coalesce(?1, health), not_before = coalesce(?2, not_before),
         deferred_until = coalesce(?2, deferred_until), next_claim_at = max(next_claim_at, coalesce(?2, next_claim_at))
       where hook_id = ?3`,
      health,
      notBeforeMs,
      lane.hook_id,
    )
    if (notBeforeMs !== null && notBeforeMs <= msOf(now)) runSync(db, recomputeNextClaim(lane.hook_id))
  }
  for (const { kind, detail } of notices) {
    db.run(
      'insert into notices (account_id, hook_id, kind, at, detail) values (?, ?, ?, ?, ?)',
      lane.account_id,
      lane.hook_id,
      kind,
      msOf(now),
      detail,
    )
  }
  if (gone && (lane.state === 'open' || lane.state === 'paused')) {
    db.run(`update hooks set status = 'gone' where id = ?`, lane.hook_id)
    runSync(db, endLane(lane.hook_id, 'gone', now))
    const apps = db.all<{ store: Store; app_id: string }>(
      'select distinct store, app_id from watches where hook_id = ?',
      lane.hook_id,
    )
    runSync(db, updatePollSet(apps.map(({ store, app_id }) => ({ store, appId: app_id }))))
  }
}

function deadIfPending(next: NextStep): NextStep {
  return next.status === 'pending' ? { status: 'dead', reason: 'gone' } : next
}

function settleLane(db: Connection, hookId: string, settled: readonly Settled[], now: Instant): void {
  let dueMs: number | null = null
  for (const each of settled) {
    const { delivery, attempt, next: step } = each
    const stepDueMs = step.status === 'pending' ? msOf(step.dueAt) : null
    const updated = db.run(
      UPDATE_DELIVERY,
      step.status,
      stepDueMs,
      step.status === 'dead' ? step.reason : null,
      msOf(now),
      attempt.httpStatus,
      attempt.reason,
      step.status === 'pending' ? (step.lengthenedByMs ?? 0) : 0,
      delivery.seq,
      delivery.lease,
      acceptedByText(each),
      delivery.attempts,
    )
    if (updated > 0 && stepDueMs !== null) dueMs = Math.min(dueMs ?? stepDueMs, stepDueMs)
    db.run(RECORD_ATTEMPT, recordOf(attempt), delivery.seq)
  }
  if (dueMs !== null) db.run(ADVANCE.sqlite, hookId, dueMs)
}

const UPDATE_DELIVERY = `update deliveries set
    status = ?1, attempts = attempts + 1, due_at = ?2, lease = null, leased_until = null,
    delivered_at = case ?1 when 'delivered' then ?4 end,
    dead_at = case ?1 when 'dead' then ?4 else dead_at end, dead_reason = coalesce(?3, dead_reason),
    resolved_at = case when ?1 = 'delivered' and dead_at is not null then ?4 end,
    last_http_status = ?5, last_reason = ?6, expires_at = expires_at + ?7,
    accepted_by = case ?1 when 'delivered' then null else coalesce(?10, accepted_by) end
  where seq = ?8 and lease = ?9 and attempts = ?11 and status = 'pending'`

/** Skips deliveries that no longer exist, such as those of a deleted hook. */
const RECORD_ATTEMPT =
  'insert into attempts (delivery_seq, record) select seq, ? from deliveries where seq = ?'
