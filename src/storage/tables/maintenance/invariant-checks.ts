import type { InvariantCursor, InvariantStorage, InvariantViolation } from '../../port/invariants.ts'
import { dateOf, hexOf } from '../../values.ts'

/**
 * The checks of the invariants, for the rows of either engine. The limits are such that a page reads at most about
 * 10,000 index entries.
 */
export const LANES_PER_PAGE = 200
const EVENTS_PER_PAGE = 1_000
/** The longest lease, of a poll at a slow pace, is half an hour. */
export const LEASE_MS_MAX = 2 * 3_600_000
/** An open breaker or a rate limit holds back a hook for at most an hour. */
const LANE_WAIT_MS_MAX = 2 * 3_600_000
/** Sweeps run every minute. After this time a sweep must have failed. */
const SWEPT_WITHIN_MS = 2 * 3_600_000
const ENDED_WITHIN_MS = 24 * 3_600_000
export const FANNED_OUT_WITHIN_MS = 3_600_000

export type LaneCheckRow = {
  readonly hook_id: string
  readonly state: 'open' | 'paused' | 'gone' | 'deleted'
  readonly next_claim_at: number | null
  readonly sweep_at: number | null
  readonly deferred_until: number | null
  readonly released_at: number | null
  /** When the first pending delivery can be claimed. */
  readonly least_due: number | null
  readonly first_expires_at: number | null
  readonly furthest_lease: number | null
}

type Request = Parameters<InvariantStorage['check']>[0]

/** The rows of one page, as an engine read them. */
export type CheckedRows = {
  readonly lanes: readonly LaneCheckRow[]
  readonly span: EventSpan
  readonly events: readonly EventCheckRow[]
  readonly feeds: readonly FarRow[]
  readonly reviews: readonly FarRow[]
  readonly stuck: readonly FarRow[]
}

/** The result of `InvariantStorage.check` for one page. */
export function checkedPage(
  request: Request,
  { lanes, span, events, ...far }: CheckedRows,
): Awaited<ReturnType<InvariantStorage['check']>> {
  const isLast = lanes.length < LANES_PER_PAGE
  return {
    violations: summed([
      ...laneViolations(lanes, request),
      ...eventViolations(events, span.after),
      ...farViolations(far),
    ]),
    cursor: { hookId: isLast ? '' : (lanes.at(-1)?.hook_id ?? ''), eventSeq: span.to },
    isLast,
  }
}

/** The violations among hooks of one page. */
function laneViolations(rows: readonly LaneCheckRow[], request: Request): InvariantViolation[] {
  const nowMs = request.now.getTime()
  const found: InvariantViolation[] = []
  const note = (invariant: InvariantViolation['invariant'], example: string) =>
    found.push({ invariant, count: 1, example })
  for (const lane of rows) {
    const { hook_id: hookId, state, next_claim_at, least_due } = lane
    if ((lane.furthest_lease ?? 0) > nowMs + LEASE_MS_MAX) {
      note('lease_without_end', `a delivery of hook ${hookId} is leased until ${iso(lane.furthest_lease)}`)
    }
    if (least_due === null) continue
    const isDue = least_due <= nowMs
    if (state === 'open' && (next_claim_at === null || (isDue && next_claim_at > nowMs + LANE_WAIT_MS_MAX))) {
      note(
        'lane_asleep',
        `hook ${hookId} has a delivery for ${iso(least_due)}, its turn is ${iso(next_claim_at)}`,
      )
    }
    if (isPastEnd(lane, request)) {
      note(
        'delivery_past_end',
        `a delivery of hook ${hookId} should have ended at ${iso(lane.first_expires_at)}`,
      )
    }
    const ended = state === 'gone' || state === 'deleted'
    if (ended && isDue && (lane.sweep_at === null || lane.sweep_at < nowMs - ENDED_WITHIN_MS)) {
      note('pending_of_ended_hook', `hook ${hookId} is ${state} and has a pending delivery`)
    }
  }
  return found
}

/** Not while its hook may send, since an overdue delivery then gets its attempt. A pause does not count. */
function isPastEnd(lane: LaneCheckRow, { now, expireAfterMs }: Request): boolean {
  const beforeMs = now.getTime() - SWEPT_WITHIN_MS
  return (
    lane.state === 'open' &&
    (lane.next_claim_at ?? 0) > now.getTime() &&
    (lane.deferred_until ?? 0) > now.getTime() &&
    (lane.released_at ?? 0) <= beforeMs - expireAfterMs &&
    lane.first_expires_at !== null &&
    lane.first_expires_at <= beforeMs
  )
}

export type EventCheckRow = {
  readonly seq: number
  readonly hook_id: string
  readonly occurrence_id: Uint8Array
  /** Null when retention has deleted it. */
  readonly occurred_at: number | null
  readonly hook_created_at: number | null
}

/** The violations among events, of which those after `eventSeq` are new. */
function eventViolations(rows: readonly EventCheckRow[], eventSeq: number): InvariantViolation[] {
  const found: InvariantViolation[] = []
  const met = new Set<string>()
  for (const { seq, hook_id, occurrence_id, occurred_at, hook_created_at } of rows) {
    const key = `${hook_id} ${hexOf(occurrence_id)}`
    if (met.has(key) && seq > eventSeq) {
      found.push({ invariant: 'duplicate_event', count: 1, example: `event ${seq} of hook ${hook_id}` })
    }
    met.add(key)
    if (seq > eventSeq && occurred_at !== null && hook_created_at !== null && occurred_at < hook_created_at) {
      const example = `event ${seq} of ${iso(occurred_at)} for hook ${hook_id} of ${iso(hook_created_at)}`
      found.push({ invariant: 'event_before_hook', count: 1, example })
    }
  }
  return found
}

/** A row with an instant too far in the future or in the past. */
export type FarRow = { readonly id: number; readonly until: number }

function farViolations(rows: Pick<CheckedRows, 'feeds' | 'reviews' | 'stuck'>): InvariantViolation[] {
  const note =
    (invariant: InvariantViolation['invariant'], text: (row: FarRow) => string) => (row: FarRow) => ({
      invariant,
      count: 1,
      example: text(row),
    })
  return [
    ...rows.feeds.map(
      note('lease_without_end', ({ id, until }) => `feed ${id} is leased until ${iso(until)}`),
    ),
    ...rows.reviews.map(
      note(
        'lease_without_end',
        ({ id, until }) => `review ${id} is leased for enrichment until ${iso(until)}`,
      ),
    ),
    ...rows.stuck.map(
      note('occurrence_stuck', ({ id, until }) => `occurrence ${id} waits for fan-out since ${iso(until)}`),
    ),
  ]
}

/** One entry per invariant. */
function summed(found: readonly InvariantViolation[]): InvariantViolation[] {
  return [...Map.groupBy(found, ({ invariant }) => invariant)].flatMap(([invariant, all]) => {
    const [first] = all
    if (first === undefined) return []
    return [{ invariant, count: all.reduce((sum, { count }) => sum + count, 0), example: first.example }]
  })
}

/** The events of one page. Those after `after` are new, and are compared with each other and with those from `from`. */
export type EventSpan = { readonly after: number; readonly from: number; readonly to: number }

export function eventSpan(cursor: InvariantCursor | null, newestSeq: number): EventSpan {
  const after = cursor?.eventSeq ?? Math.max(0, newestSeq - EVENTS_PER_PAGE)
  return {
    after,
    from: Math.max(0, after - EVENTS_PER_PAGE),
    to: Math.min(newestSeq, after + EVENTS_PER_PAGE),
  }
}

function iso(ms: number | null): string {
  return ms === null ? 'never' : dateOf(ms).toISOString()
}
