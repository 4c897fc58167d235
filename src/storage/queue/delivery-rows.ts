import type { Delivery } from '../../model/delivery.ts'
import type { RedirectRule } from '../../model/redirects.ts'
import type { TargetType } from '../../model/target.ts'
import type {
  DeadReason,
  DeliveryStatus,
  EventType,
  FailureReason,
  HookStatus,
  Store,
} from '../../model/vocabulary.ts'
import type { ClaimedDelivery, DeliveryView, Lane, Settled } from '../port/deliveries.ts'
import { messageSchedule, secrets, unsubscribed } from '../tables/hooks/hook-columns.ts'
import { dateOf, dateOrNull, hexOf, parsed } from '../values.ts'

/** Rows of lanes, deliveries and attempts, the same on both engines. */

/** Of `lanes l join hooks h`. */
export const LANE_COLUMNS =
  'l.hook_id, l.account_id, l.host, l.state, l.health, h.source, h.target_type, h.rate_per_second, h.message_schedule'

export type LaneRow = {
  hook_id: string
  account_id: string
  host: string
  state: 'open' | 'paused' | 'gone' | 'deleted'
  health: string | null
  source: string
  target_type: TargetType
  rate_per_second: number | null
  message_schedule: string | null
}

export function laneOf(row: LaneRow): Lane {
  return {
    hookId: row.hook_id,
    accountId: row.account_id,
    host: row.host,
    source: row.source,
    targetType: row.target_type,
    ratePerSecond: row.rate_per_second,
    messageSchedule: messageSchedule.read(row.message_schedule),
    health: row.health,
  }
}

/** Columns of `lanes l join hooks h` for a claim. The common values of a hook's deliveries are read once. */
export const CLAIMING_LANE_COLUMNS = `${LANE_COLUMNS}, h.target_url, h.secrets, h.cloud_events, h.redirect,
  h.target_settings, h.unsubscribed`

export type ClaimingLaneRow = LaneRow & {
  target_url: string
  secrets: string
  cloud_events: number
  redirect: RedirectRule
  target_settings: string | null
  unsubscribed: string | null
}

/** Of `deliveries d`, for a claim, without the values of the lane. */
export const LEASED_COLUMNS =
  'd.seq, d.hook_id, d.attempts, d.due_at, d.expires_at, d.replay_id, d.accepted_by'

/** Of `deliveries d join events e`. */
export const CLAIMED_COLUMNS = `${LEASED_COLUMNS}, e.event_id, e.created_at, e.body`

export type ClaimedRow = {
  seq: number
  event_id: Uint8Array
  hook_id: string
  attempts: number
  due_at: number
  created_at: number
  expires_at: number
  replay_id: string | null
  accepted_by: string | null
  body: string
}

/** In the order of `rows`, without those whose lane is not in `lanes`. */
export function claimedOf(
  rows: readonly ClaimedRow[],
  lanes: readonly ClaimingLaneRow[],
  lease: string,
): ClaimedDelivery[] {
  const laneOfHook = new Map(lanes.map((lane) => [lane.hook_id, laneValues(lane)]))
  return rows.flatMap((row) => {
    const known = laneOfHook.get(row.hook_id)
    if (known === undefined) return []
    const { lane, secrets, unsubscribed } = known
    return [
      {
        seq: row.seq,
        lease,
        eventId: hexOf(row.event_id),
        hookId: row.hook_id,
        accountId: lane.account_id,
        source: lane.source,
        targetType: lane.target_type,
        targetUrl: lane.target_url,
        targetSettings: lane.target_settings,
        host: lane.host,
        secrets,
        cloudEvents: lane.cloud_events === 1,
        redirect: lane.redirect,
        unsubscribed,
        acceptedBy: row.accepted_by === null ? [] : parsed<string[]>(row.accepted_by),
        inOneMessage: lane.message_schedule !== null,
        body: row.body,
        attempts: row.attempts,
        dueAt: dateOf(row.due_at),
        createdAt: dateOf(row.created_at),
        expiresAt: dateOf(row.expires_at),
        replayId: row.replay_id,
      },
    ]
  })
}

/** The values that all deliveries of the lane share. */
function laneValues(lane: ClaimingLaneRow) {
  return {
    lane,
    secrets: secrets.read(lane.secrets),
    unsubscribed: unsubscribed.read(lane.unsubscribed).map(({ recipient }) => recipient),
  }
}

/** The stored form of `Settled.acceptedBy`; null leaves the stored value. */
export function acceptedByText({ acceptedBy = [] }: Settled): string | null {
  return acceptedBy.length === 0 ? null : JSON.stringify(acceptedBy)
}

/**
 * Columns of `events e join deliveries d join hooks h join lanes l`. `due_at` of a pending delivery is at least the end
 * of its hook's open breaker. `due_at` of a delivery under way is the end of its lease.
 */
export const VIEW_COLUMNS = `e.seq, e.event_id, e.occurrence_id, e.account_id, e.hook_id, e.event_type, e.store, e.app_id,
  d.status, d.attempts, e.created_at, case when d.leased_until is null and l.deferred_until > d.due_at then l.deferred_until
    else coalesce(d.leased_until, d.due_at) end as due_at, d.delivered_at, d.dead_at,
  d.dead_reason, d.last_http_status, d.last_reason, d.resolved_at, h.status as hook_status, h.deleted_at as hook_deleted_at, h.name as hook_name,
  h.target_type, h.target_url, e.body`

export type ViewRow = {
  seq: number
  event_id: Uint8Array
  occurrence_id: Uint8Array
  account_id: string
  hook_id: string
  event_type: EventType
  store: Store
  app_id: string
  status: DeliveryStatus
  attempts: number
  created_at: number
  due_at: number | null
  delivered_at: number | null
  dead_at: number | null
  dead_reason: DeadReason | null
  last_http_status: number | null
  last_reason: FailureReason | null
  resolved_at: number | null
  hook_status: HookStatus
  hook_deleted_at: number | null
  hook_name: string | null
  target_type: TargetType
  target_url: string
  body: string
}

export function viewOf(row: ViewRow): DeliveryView {
  return {
    ...deliveryOf(row),
    hookStatus: row.hook_deleted_at === null ? row.hook_status : 'deleted',
    hookName: row.hook_name,
    targetType: row.target_type,
    targetUrl: row.target_url,
    body: row.body,
  }
}

function deliveryOf(row: ViewRow): Delivery {
  return {
    seq: row.seq,
    eventId: hexOf(row.event_id),
    occurrenceId: hexOf(row.occurrence_id),
    accountId: row.account_id,
    hookId: row.hook_id,
    eventType: row.event_type,
    store: row.store,
    appId: row.app_id,
    status: row.status,
    attempts: row.attempts,
    createdAt: dateOf(row.created_at),
    dueAt: dateOrNull(row.due_at),
    deliveredAt: dateOrNull(row.delivered_at),
    deadAt: dateOrNull(row.dead_at),
    deadReason: row.dead_reason,
    lastHttpStatus: row.last_http_status,
    lastReason: row.last_reason,
    resolvedAt: dateOrNull(row.resolved_at),
  }
}
