import type { Store } from '../../../model/vocabulary.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { DeliveryStorage, LaneChange, NextStep, Settled } from '../../port/deliveries.ts'
import { updatePollSet } from '../../tables/feeds/coverage.ts'
import { acceptedByText, LANE_COLUMNS, type LaneRow, laneOf } from '../../tables/queue/claim-rows.ts'
import { recordOf } from '../../tables/queue/deliveries.ts'
import { endLane, lockLanes, recomputeNextClaim } from '../../tables/queue/lanes.ts'
import { hoursOf, INCREMENT_HOURS } from '../../tables/queue/latency.ts'
import { msOf, msOrNull } from '../../values.ts'
import { runAsync } from '../../work.ts'
import { BETWEEN_TEXTS, type Database, type Transaction, type Value } from '../connect.ts'

/**
 * Commits the results of attempts. The states of a delivery:
 *
 *   pending ──2xx──▶ delivered                      (resolved, if it was ever a dead letter)
 *   pending ──failure──▶ pending, due later         in a gone lane: dead; in a deleted one: deleted by a sweep
 *   pending ──last attempt──▶ dead
 *
 * Differs from sqlite: locks the lanes first, and most statements handle the whole batch. A batch of successes is four statements.
 */
export async function settle(
  db: Database,
  settled: readonly Settled[],
  now: Instant,
  change: Parameters<DeliveryStorage['settle']>[2],
  mayBeStored = false,
): Promise<void> {
  if (settled.length === 0) return
  if (mayBeStored) return db.transaction((tx) => settleAgain(tx, settled, now, change))
  const byHook = Map.groupBy(settled, ({ delivery }) => delivery.hookId)
  const allAccepted = settled.every(({ next }) => next.status === 'delivered')
  if (allAccepted && (await db.transaction((tx) => settleUnchanged(tx, byHook, now, change)))) return
  await db.transaction((tx) => settleLocked(tx, byHook, now, change))
}

/** The body of `DeliveryStorage.changeLanes`. */
export async function changeLanes(
  db: Database,
  ...[accountId, hookIds, now, change]: Parameters<DeliveryStorage['changeLanes']>
): Promise<void> {
  const byHook = new Map(hookIds.map((hookId) => [hookId, []]))
  await db.transaction(async (tx) => {
    const changes = (await changesOf(tx, byHook, 'update', now, (lane, _, now) => change(lane, now))).filter(
      ({ lane }) => lane.account_id === accountId,
    )
    await writeLanes(tx, changes, new Map(), now)
    await insertNotices(tx, changes, now)
    await endGone(tx, changes, now)
  })
}

type ByHook = ReadonlyMap<string, readonly Settled[]>
type Change = Parameters<DeliveryStorage['settle']>[2]
type Changed = { readonly lane: LaneRow; readonly ofLane: readonly Settled[]; readonly changed: LaneChange }

/**
 * Settles successes that change no lane, the usual case. Shares the locks of lanes with claims, so that neither waits
 * for the other. Returns false without writing when a lane changes.
 */
async function settleUnchanged(
  tx: Transaction,
  byHook: ByHook,
  now: Instant,
  change: Change,
): Promise<boolean> {
  const changes = await changesOf(tx, byHook, 'key share', now, change)
  if (changes.some(({ changed }) => !isUnchanged(changed))) return false
  const steps = changes.flatMap(({ ofLane }) => ofLane)
  if (steps.length === 0) return true
  tx.send(UPDATE_DELIVERIES, ...updateValuesOf(steps, now))
  recordAttempts(tx, steps)
  incrementHours(tx, changes, now)
  return true
}

/**
 * Settles a batch that may already be stored. The locks wait for a transaction that lost its connection and still runs
 * on the server.
 */
async function settleAgain(
  tx: Transaction,
  settled: readonly Settled[],
  now: Instant,
  change: Change,
): Promise<void> {
  await runAsync(tx, lockLanes(settled.map(({ delivery }) => delivery.hookId)))
  const stored = await tx.all<{ place: number }>(
    STORED_ATTEMPTS,
    settled.map(({ delivery }) => delivery.seq),
    settled.map(({ attempt }) => recordOf(attempt)).join(BETWEEN_TEXTS),
  )
  const places = new Set(stored.map(({ place }) => place))
  const fresh = settled.filter((_, index) => !places.has(index + 1))
  const byHook = Map.groupBy(fresh, ({ delivery }) => delivery.hookId)
  if (byHook.size > 0) await settleLocked(tx, byHook, now, change)
}

/** Two attempts of a delivery never have the same record, because they start at different instants. */
export const STORED_ATTEMPTS = `select v.place
  from unnest($1::bigint[], string_to_array($2, chr(31))) with ordinality as v (seq, record, place)
  join attempts a on a.delivery_seq = v.seq and a.record = v.record`

async function settleLocked(tx: Transaction, byHook: ByHook, now: Instant, change: Change): Promise<void> {
  const changes = await changesOf(tx, byHook, 'update', now, change)
  const steps = changes.flatMap(({ ofLane }) => ofLane)
  if (steps.length === 0) return
  const dueMs = await updateDeliveries(tx, steps, now)
  recordAttempts(tx, steps)
  await writeLanes(tx, changes, dueMs, now)
  await insertNotices(tx, changes, now)
  await endGone(tx, changes, now)
  incrementHours(tx, changes, now)
}

/**
 * The changes of lanes, in the order of lockLanes. Missing lanes belong to deleted hooks that retention has removed.
 */
async function changesOf(
  tx: Transaction,
  byHook: ByHook,
  lock: 'update' | 'key share',
  now: Instant,
  change: Change,
): Promise<Changed[]> {
  const lanes = await tx.all<LaneRow>(
    `select ${LANE_COLUMNS} from lanes l join hooks h on h.id = l.hook_id
     where l.hook_id = any($1::text[]) order by l.hook_id for ${lock} of l`,
    [...byHook.keys()],
  )
  return lanes.map((lane) => {
    const ofLane = byHook.get(lane.hook_id) ?? []
    const changed = change(laneOf(lane), ofLane, now)
    const gone = lane.state === 'gone' || (changed.gone && lane.state !== 'deleted')
    const steps = ofLane.map((each) => ({ ...each, next: gone ? deadIfPending(each.next) : each.next }))
    return { lane, ofLane: steps, changed }
  })
}

function isUnchanged({ health, notBefore, notices, gone }: LaneChange): boolean {
  return health === null && notBefore === null && notices.length === 0 && !gone
}

function deadIfPending(next: NextStep): NextStep {
  return next.status === 'pending' ? { status: 'dead', reason: 'gone' } : next
}

/** Writes all changes of each changed lane at once. */
async function writeLanes(
  tx: Transaction,
  changes: readonly Changed[],
  dueMs: ReadonlyMap<string, number>,
  now: Instant,
): Promise<void> {
  const written = changes.filter(
    ({ lane, changed }) => changed.health !== null || changed.notBefore !== null || dueMs.has(lane.hook_id),
  )
  if (written.length === 0) return
  await tx.run(
    WRITE_LANES,
    written.map(({ lane }) => lane.hook_id),
    written.map(({ changed }) => changed.health),
    written.map(({ changed }) => msOrNull(changed.notBefore)),
    written.map(({ lane }) => dueMs.get(lane.hook_id) ?? null),
  )
  for (const { lane, changed } of written) {
    if (changed.notBefore !== null && changed.notBefore <= now)
      await runAsync(tx, recomputeNextClaim(lane.hook_id))
  }
  tx.notifyWork()
}

const WRITE_LANES = `update lanes l set health = coalesce(v.health, l.health),
    not_before = coalesce(v.not_before, l.not_before), deferred_until = coalesce(v.not_before, l.deferred_until),
    next_claim_at = case when l.state = 'open' and coalesce(l.next_claim_at, v.due_at) is not null
      then greatest(least(l.next_claim_at, v.due_at), coalesce(v.not_before, l.not_before)) end
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as v (hook_id, health, not_before, due_at)
  where l.hook_id = v.hook_id`

async function insertNotices(tx: Transaction, changes: readonly Changed[], now: Instant): Promise<void> {
  const notices = changes.flatMap(({ lane, changed }) =>
    changed.notices.map((notice) => ({ lane, ...notice })),
  )
  if (notices.length === 0) return
  await tx.run(
    `insert into notices (account_id, hook_id, kind, at, detail)
     select account_id, hook_id, kind, $1, detail
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
       as v (account_id, hook_id, kind, detail, place) order by place`,
    msOf(now),
    notices.map(({ lane }) => lane.account_id),
    notices.map(({ lane }) => lane.hook_id),
    notices.map(({ kind }) => kind),
    notices.map(({ detail }) => detail),
  )
}

async function endGone(tx: Transaction, changes: readonly Changed[], now: Instant): Promise<void> {
  const ids = changes
    .filter(({ lane, changed }) => changed.gone && (lane.state === 'open' || lane.state === 'paused'))
    .map(({ lane }) => lane.hook_id)
  if (ids.length === 0) return
  await tx.run(`update hooks set status = 'gone' where id = any($1::text[])`, ids)
  for (const id of ids) await runAsync(tx, endLane(id, 'gone', now))
  const apps = await tx.all<{ store: Store; app_id: string }>(
    'select distinct store, app_id from watches where hook_id = any($1::text[])',
    ids,
  )
  await runAsync(tx, updatePollSet(apps.map(({ store, app_id }) => ({ store, appId: app_id }))))
}

/** Updates the deliveries. Returns when the first failed delivery of each hook is due again, in milliseconds. */
async function updateDeliveries(
  tx: Transaction,
  settled: readonly Settled[],
  now: Instant,
): Promise<Map<string, number>> {
  const updated = await tx.all<{ hook_id: string; due_at: number | null }>(
    `${UPDATE_DELIVERIES} returning d.hook_id, d.due_at`,
    ...updateValuesOf(settled, now),
  )
  const dueMs = new Map<string, number>()
  for (const { hook_id, due_at } of updated) {
    if (due_at !== null) dueMs.set(hook_id, Math.min(dueMs.get(hook_id) ?? due_at, due_at))
  }
  return dueMs
}

function updateValuesOf(settled: readonly Settled[], now: Instant): Value[] {
  return [
    settled.map(({ delivery }) => delivery.seq),
    settled.map(({ delivery }) => delivery.lease),
    settled.map(({ next }) => next.status),
    settled.map(({ next }) => (next.status === 'pending' ? msOf(next.dueAt) : null)),
    settled.map(({ next }) => (next.status === 'dead' ? next.reason : null)),
    settled.map(({ attempt }) => attempt.httpStatus),
    settled.map(({ attempt }) => attempt.reason),
    msOf(now),
    settled.map(({ next }) => (next.status === 'pending' ? (next.lengthenedByMs ?? 0) : 0)),
    settled.map(acceptedByText),
    settled.map(({ delivery }) => delivery.attempts),
  ]
}

/**
 * A leased delivery is pending. The `seq` values occur twice, to bound the read for either join order: with outdated
 * statistics the planner would read all pending deliveries for each batch (`plans.integration.test.ts`).
 */
export const UPDATE_DELIVERIES = `update deliveries d set
    status = v.status, attempts = d.attempts + 1, due_at = v.due_at, lease = null, leased_until = null,
    delivered_at = case v.status when 'delivered' then $8::bigint end,
    dead_at = case v.status when 'dead' then $8::bigint else d.dead_at end,
    dead_reason = coalesce(v.dead_reason, d.dead_reason),
    resolved_at = case when v.status = 'delivered' and d.dead_at is not null then $8::bigint end,
    last_http_status = v.http_status, last_reason = v.reason, expires_at = d.expires_at + v.lengthened_ms,
    accepted_by = case v.status when 'delivered' then null else coalesce(v.accepted_by, d.accepted_by) end
  from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::integer[], $7::text[],
      $9::bigint[], $10::text[], $11::integer[])
    as v (seq, lease, status, due_at, dead_reason, http_status, reason, lengthened_ms, accepted_by, attempts)
  where d.seq = any($1::bigint[]) and d.seq = v.seq and d.lease = v.lease and d.attempts = v.attempts`

/** Adds the results of attempts to the current hour of each hook, in an order that avoids deadlocks. */
function incrementHours(tx: Transaction, changes: readonly Changed[], now: Instant): void {
  const rows = changes.flatMap(({ lane, ofLane }) => hoursOf(lane, ofLane, now))
  const [first = []] = rows
  if (rows.length > 0)
    tx.send(INCREMENT_HOURS.postgres, ...first.map((_, at) => rows.map((row) => row[at] ?? null)))
}

function recordAttempts(tx: Transaction, settled: readonly Settled[]): void {
  tx.send(
    RECORD_ATTEMPTS,
    settled.map(({ delivery }) => delivery.seq),
    settled.map(({ attempt }) => recordOf(attempt)).join(BETWEEN_TEXTS),
  )
}

/** Skips deliveries that no longer exist, such as those of a deleted hook. */
export const RECORD_ATTEMPTS = `insert into attempts (delivery_seq, record)
  select d.seq, v.record
  from unnest($1::bigint[], string_to_array($2, chr(31))) with ordinality as v (seq, record, place)
  join deliveries d on d.seq = v.seq where d.seq = any($1::bigint[]) order by v.place`
