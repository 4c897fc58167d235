import { optionsOf } from '../../../model/hook-options.ts'
import type { TargetType } from '../../../model/target.ts'
import type { Allocation, ClaimedDelivery, Lane, Settled } from '../../port/deliveries.ts'
import { dateOf, hexOf, parsed } from '../../values.ts'
import { HOOK_OPTIONS, messageSchedule, secrets, unsubscribed } from '../hooks/hook-columns.ts'

/** Rows of lanes and deliveries for claims and settles, which each engine makes in its own way. */

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
export const CLAIMING_LANE_COLUMNS = `${LANE_COLUMNS}, h.target_url, h.secrets, h.target_settings,
  h.unsubscribed, ${HOOK_OPTIONS.list}`

export type ClaimingLaneRow = LaneRow & {
  target_url: string
  secrets: string
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
    const { lane, secrets, unsubscribed, options } = known
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
        ...options,
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
    // `lane` has other columns as well.
    options: optionsOf(HOOK_OPTIONS.of(lane)),
    unsubscribed: unsubscribed.read(lane.unsubscribed).map(({ recipient }) => recipient),
  }
}

/** The stored form of `Settled.acceptedBy`; null leaves the stored value. */
export function acceptedByText({ acceptedBy = [] }: Settled): string | null {
  return acceptedBy.length === 0 ? null : JSON.stringify(acceptedBy)
}

/**
 * Whether a lane may have more due deliveries, without a query: it had as many as the claim allowed, or its slots are
 * in use.
 */
export function mayHaveMore({ take, notBefore }: Allocation, given: number, room: number): boolean {
  return given > 0 ? given === Math.min(take, room) : take === 0 && notBefore === null
}
