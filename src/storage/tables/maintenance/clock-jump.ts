import { PROBE_MS_MAX } from '../../../model/source-health.ts'
import type { ClockState, Horizons } from '../../port/time.ts'
import { dateOf, dateOrNull, flagOf, msOf } from '../../values.ts'
import type { Sql, SqlPair } from '../../work.ts'

/**
 * The adjustment of stored instants after a jump of the clock, as SQL of both engines. Numbers are part of the
 * statements, since these run once per jump or once per minute, each time with different numbers.
 */

/** The functions of an engine for the maximum and the minimum of two numbers. */
type Dialect = { readonly greatest: string; readonly least: string }

function onBoth(build: (dialect: Dialect) => string[]): SqlPair[] {
  const postgres = build({ greatest: 'greatest', least: 'least' })
  return build({ greatest: 'max', least: 'min' }).map((sqlite, at) => ({
    sqlite,
    postgres: postgres[at] ?? sqlite,
  }))
}

/** A later expiry of a delivery was set with another clock. An expiry that is an hour late is harmless. */
const EXPIRES_AHEAD_MS_MAX = 30 * 24 * 3_600_000
/** No instant becomes negative, or 0, which marks new feeds. */
const LEAST_MS = 1

/**
 * A jump that ends this close to the reference clock is a jump back to it, since the machine may have been suspended in
 * between. For a small jump it is half its size, so that a jump of seconds does not end a difference of a minute.
 */
const RETURN_TOLERANCE_MS = 60_000
/** The same for a jump detected at a start, since an unknown time has passed. */
const RETURN_TOLERANCE_STOPPED_MS = 900_000

/** Older requests to a store do not count, since its limit is per minute. */
const PACE_MS_MAX = 120_000

/**
 * Hooks move later only by more than this. Undetected jumps of seconds add up to an error, by which hooks would miss
 * reviews.
 */
const LATER_MS_MIN = 60_000

/** The precision of a measured jump. */
const MEASURED_MS = 1_000

const PAST_OF_FEEDS = [
  'claimed_due_at',
  'last_polled_at',
  'last_ok_at',
  'failing_since',
  'fallback_since',
  'probed_at',
  'frozen_since',
  'other_asked_at',
  'baseline_at',
]
const PAST_OF_ROWS = ['first_seen_at', 'last_seen_at', 'changed_at', 'checked_at']

type Interval = { readonly from: Date; readonly to: Date }

/**
 * The adjustment of stored instants for a jump, the resulting difference between the clock and its reference, and the
 * uncertainty of that difference.
 */
export function adjustments(
  jump: Interval & { readonly extendLeases: boolean; readonly whileStopped: boolean },
  clock: ClockRow,
): { readonly aheadMs: number; readonly gapMs: number; readonly statements: readonly Sql[] } {
  const byMs = msOf(jump.to) - msOf(jump.from)
  const aheadMs = clock.ahead_ms + byMs
  const sizeMs = Math.abs(byMs)
  const toleranceMs = Math.min(
    jump.whileStopped ? RETURN_TOLERANCE_STOPPED_MS : RETURN_TOLERANCE_MS,
    sizeMs / 2,
  )
  const isReturn = Math.abs(aheadMs) <= toleranceMs && Math.abs(aheadMs) < Math.abs(clock.ahead_ms)
  const isReset = isReturn && jump.whileStopped
  return {
    aheadMs: isReset ? 0 : aheadMs,
    gapMs: clock.gap_ms + (isReset ? Math.max(0, aheadMs) : 0),
    statements: [
      ...shiftNew(clock),
      ...(byMs < 0 ? onBoth((dialect) => stepBack(jump, aheadMs, dialect)) : []),
      ...(isReturn ? onBoth((dialect) => restoreCreation(jump.to, dialect)) : []),
      ...(byMs > 0 && jump.extendLeases ? extendLeases(jump) : []),
      ...(byMs > 0 && !jump.whileStopped ? keepPace(jump) : []),
    ],
  }
}

const CREATED_BY_CLOCK = ['hooks', 'watches']

/**
 * Marks the rows created since the last jump with the difference between the clock and its reference. A clock that
 * seems to be behind may be right: it may have jumped ahead undetected, in a gap, before a jump corrected it. Hooks
 * that were moved later because of it would miss reviews.
 */
function shiftNew({ ahead_ms, gap_ms }: ClockRow): string[] {
  const shiftMs = ahead_ms > 0 ? -ahead_ms : Math.max(0, -ahead_ms - gap_ms)
  return CREATED_BY_CLOCK.map(
    (table) => `update ${table} set created_shift_ms = ${shiftMs} where created_shift_ms is null`,
  )
}

/**
 * The clock agrees with its reference again, so the time in between was wrong. Hooks and watches start from their
 * creation by the reference, but not from a time after now, which was set by a node that had not detected a jump.
 */
function restoreCreation(to: Date, { least }: Dialect): string[] {
  const now = msOf(to)
  const restored = 'created_at + created_shift_ms'
  return CREATED_BY_CLOCK.map(
    (table) => `update ${table} set created_shift_ms = 0,
       created_at = case when created_shift_ms between 1 and ${LATER_MS_MIN} then created_at else ${least}(${restored}, ${now}) end
     where created_shift_ms <> 0 and ${restored} <= ${now + MEASURED_MS}`,
  )
}

/**
 * After a day without a jump, the clock becomes the reference: hooks do not change, and later jumps are measured from
 * here. Without a gap this is certain. Empty when no difference is stored.
 */
export function forgetReference(clock: ClockRow, at: Date, confirmMs: number): string[] {
  const { jumped_at, gap_at } = clock
  const isLongAfter = (ms: number | null) => ms === null || msOf(at) >= ms + confirmMs
  if (!isLongAfter(jumped_at)) return []
  return [
    ...(clock.gap_ms > 0 && isLongAfter(gap_at) ? ['update clock set gap_ms = 0, gap_at = null'] : []),
    ...(clock.ahead_ms !== 0 && jumped_at !== null ? clockBecomesReference() : []),
  ]
}

function clockBecomesReference(): string[] {
  return [
    ...CREATED_BY_CLOCK.map(
      (table) =>
        `update ${table} set created_shift_ms = 0 where created_shift_ms is null or created_shift_ms <> 0`,
    ),
    'update clock set ahead_ms = 0',
  ]
}

/**
 * The clock went back from `from` to `to`. Instants after `to` move by the difference: due times keep their distance,
 * and past instants from that period get their real time, never later than now. A due time that was set before the
 * clock went ahead is once early by the difference, and never late. Hooks and watches also move, since a hook created
 * while the clock was ahead would otherwise miss reviews until that time. It is not yet known which of the two times is
 * right; the earlier one loses no review. They move to their creation by the current clock, which is `aheadMs` ahead of
 * the reference. A hook that is older than the jump ahead moves only by a part of it. `created_shift_ms` stores the
 * difference. Bytes of events, histories of ratings and hourly figures do not move, since they have no due time.
 */
function stepBack({ from, to }: Interval, aheadMs: number, { greatest, least }: Dialect): string[] {
  const now = msOf(to)
  const by = msOf(from) - now
  const moved = (column: string) => `${greatest}(${column} - ${by}, ${LEAST_MS})`
  const ahead = (column: string) =>
    `${column} = case when ${column} > ${now} then ${moved(column)} else ${column} end`
  const past = (column: string) =>
    `${column} = case when ${column} > ${now} then ${least}(${moved(column)}, ${now}) else ${column} end`
  const any = (...columns: string[]) => columns.map((column) => `${column} > ${now}`).join(' or ')
  const endsMax = now + EXPIRES_AHEAD_MS_MAX
  const byThisClock = `${least}(${greatest}(created_at + created_shift_ms + ${aheadMs}, ${LEAST_MS}), ${now})`
  // A small difference may be a measurement error. As a part of the large one it would move the hook later when the clock returns.
  const laterBy = `case when created_shift_ms between 1 and ${LATER_MS_MIN} then 0 else created_shift_ms end`
  const createdMoved = `created_at = case when created_at > ${now} then ${byThisClock} else created_at end,
     created_shift_ms = case when created_at > ${now} then ${laterBy} + created_at - ${byThisClock} else created_shift_ms end`
  return [
    `update feeds set ${ahead('next_poll_at')}, ${PAST_OF_FEEDS.map(past).join(', ')}
     where ${any('next_poll_at', ...PAST_OF_FEEDS)}`,
    `update quarantined_rows set ${PAST_OF_ROWS.map(past).join(', ')} where ${any(...PAST_OF_ROWS)}`,
    `update reviews set ${ahead('enrich_leased_until')} where enrich_leased_until > ${now}`,
    `update reviews set ${past('observed_at')} where observed_at > ${now}`,
    `update occurrences set ${ahead('ready_at')}, ${past('observed_at')}, ${past('unseen_at')}
     where ready_at is not null and (${any('ready_at', 'observed_at', 'unseen_at')})`,
    `update lanes set ${ahead('next_claim_at')}, ${ahead('not_before')}, ${ahead('deferred_until')}, ${ahead('sweep_at')},
       ${past('released_at')}
     where ${any('next_claim_at', 'not_before', 'deferred_until', 'sweep_at', 'released_at')}`,
    `update deliveries set ${ahead('due_at')}, ${ahead('leased_until')},
       expires_at = case when expires_at > ${endsMax} then ${moved('expires_at')} else expires_at end
     where status = 'pending' and (${any('due_at', 'leased_until')} or expires_at > ${endsMax})`,
    `update deliveries set ${past('dead_at')} where status = 'dead' and resolved_at is null and dead_at > ${now}`,
    `update deliveries set ${past('delivered_at')}, ${past('resolved_at')}
     where (delivered_at is not null or resolved_at is not null) and coalesce(delivered_at, resolved_at) > ${now}`,
    `update replays set ${ahead('next_at')}, ${past('created_at')} where ${any('next_at', 'created_at')}`,
    `update pace set ${ahead('arrival_at_ms')}, ${ahead('blocked_until')} where ${any('arrival_at_ms', 'blocked_until')}`,
    `update attempt_limits set ${ahead('arrival_at_ms')} where ${any('arrival_at_ms')}`,
    `update source_health set ${past('since')}, ${past('counted_at')}, ${past('checked_at')}, ${ahead('probe_at')}
     where ${any('since', 'counted_at', 'checked_at', 'probe_at')}`,
    `update hooks set ${createdMoved}, ${past('deleted_at')}
     where ${any('created_at', 'deleted_at')}`,
    `update watches set ${createdMoved} where ${any('created_at')}`,
    `update rating_slides set ${past('fired_at')} where ${any('fired_at')}`,
    `update watch_sets set ${past('created_at')} where ${any('created_at')}`,
    `update tokens set ${past('last_used_at')} where ${any('last_used_at')}`,
    `update atom_feeds set ${past('created_at')} where ${any('created_at')}`,
    `update review_sources set ${past('changed_at')}, ${past('public_until')}, ${ahead('next_poll_at')},
       ${past('last_polled_at')}, ${past('last_ok_at')}, ${past('failing_since')}
     where ${any('changed_at', 'public_until', 'next_poll_at', 'last_polled_at', 'last_ok_at', 'failing_since')}`,
    `update review_histories set ${past('started_at')}, ${past('updated_at')}, ${ahead('next_at')}
     where ${any('started_at', 'updated_at', 'next_at')}`,
    `update replies set ${past('requested_at')}, ${past('updated_at')}, ${past('sent_at')}, ${ahead('next_at')},
       ${ahead('undo_until')}
     where ${any('requested_at', 'updated_at', 'sent_at', 'next_at', 'undo_until')}`,
    `update store_connections set ${past('created_at')}, ${past('rotated_at')}, ${past('checked_at')}
     where ${any('created_at', 'rotated_at', 'checked_at')}`,
    `update apps set ${past('updated_at')} where ${any('updated_at')}`,
    `update invitations set ${past('created_at')}, ${ahead('expires_at')} where ${any('created_at')}`,
    `update notices set ${past('at')} where ${any('at')}`,
    `update alerts set ${ahead('due_at')}, ${ahead('leased_until')}, ${past('created_at')}, ${past('since')}
     where ${any('due_at', 'leased_until', 'created_at', 'since')}`,
    `update audit_entries set ${past('at')} where ${any('at')}`,
    `update nodes set ${past('started_at')}, ${past('seen_at')} where ${any('started_at', 'seen_at')}`,
  ]
}

/** Longer than any lease. */
const LEASE_MS_MAX = 3_600_000

/**
 * The clock went forward: leases keep their remaining time. One that ends later than any lease was taken after the jump, before it was
 * detected. Extended too, it would look like an error, end in the next repair, and its work would be done twice.
 */
function extendLeases({ from, to }: Interval): string[] {
  const was = msOf(from)
  const by = msOf(to) - was
  const extend = (table: string, column: string, isLeased: string) =>
    `update ${table} set ${column} = ${column} + ${by}
     where ${isLeased} and ${column} > ${was} and ${column} <= ${was + LEASE_MS_MAX}`
  return [
    extend('feeds', 'next_poll_at', 'lease is not null'),
    extend('reviews', 'enrich_leased_until', 'enrich_lease is not null'),
    extend('deliveries', 'leased_until', "status = 'pending'"),
    extend('review_sources', 'next_poll_at', 'lease is not null'),
    extend('review_histories', 'next_at', 'lease is not null'),
    extend('replies', 'next_at', 'lease is not null'),
    extend('alerts', 'leased_until', "status = 'pending'"),
  ]
}

/**
 * A jump forward does not increase a store's requests per minute, nor the attempts to guess a secret. It may shorten one block of a store.
 */
function keepPace({ from, to }: Interval): string[] {
  const was = msOf(from) - PACE_MS_MAX
  const by = msOf(to) - msOf(from)
  return [
    `update pace set arrival_at_ms = arrival_at_ms + ${by} where arrival_at_ms > ${was}`,
    `update attempt_limits set arrival_at_ms = arrival_at_ms + ${by} where arrival_at_ms > ${msOf(from)}`,
  ]
}

/**
 * Makes rows beyond their horizon due now. Each condition reads the end of an index. `now` is the placeholder of the time: the
 * statements run every minute, and each different text would be prepared again.
 */
export function repairs(now: string, horizons: Horizons): string[] {
  const beyond = (column: string, aheadMs: number) => `${column} > ${now} + ${Math.ceil(aheadMs)}`
  const lanes = `select hook_id from lanes where ${beyond('next_claim_at', horizons.deliveryMs)}`
  return [
    `update feeds set next_poll_at = ${now} where store in ('apple', 'google') and kind in ('reviews', 'rating')
       and ${beyond('next_poll_at', horizons.pollMs)}`,
    `update occurrences set ready_at = ${now} where ${beyond('ready_at', horizons.readyMs)}`,
    `update reviews set enrich_leased_until = ${now} where ${beyond('enrich_leased_until', horizons.enrichLeaseMs)}`,
    `update deliveries set due_at = ${now}, leased_until = null, lease = null
     where hook_id in (${lanes}) and status = 'pending'
       and (${beyond('due_at', horizons.deliveryMs)} or ${beyond('leased_until', horizons.deliveryMs)})`,
    `update lanes set next_claim_at = ${now}, not_before = null, deferred_until = null
     where ${beyond('next_claim_at', horizons.deliveryMs)}`,
    `update replays set next_at = ${now} where status = 'running' and ${beyond('next_at', horizons.replayMs)}`,
    `update pace set blocked_until = ${now} where ${beyond('blocked_until', horizons.storeBlockMs)}`,
    `update source_health set probe_at = ${now} where ${beyond('probe_at', PROBE_MS_MAX)}`,
    `update review_sources set next_poll_at = ${now}, lease = null where ${beyond('next_poll_at', horizons.officialMs)}`,
    `update review_histories set next_at = ${now}, lease = null where ${beyond('next_at', horizons.officialMs)}`,
    `update replies set next_at = ${now}, lease = null, undo_until = null, undo_to = null
     where ${beyond('next_at', horizons.officialMs)}`,
    `update replies set undo_until = null, undo_to = null
     where next_at <= ${now} and ${beyond('undo_until', horizons.officialMs)}`,
    `update alerts set due_at = ${now}, leased_until = null, lease = null where status = 'pending'
       and (${beyond('due_at', horizons.deliveryMs)} or ${beyond('leased_until', horizons.deliveryMs)})`,
  ]
}

export type ClockRow = {
  readonly high_water_at: number
  readonly steps: number
  readonly stepped_ms: number
  readonly jumped_at: number | null
  readonly jumped_by_ms: number | null
  readonly jumped_while_stopped: number | null
  readonly ahead_ms: number
  readonly gap_ms: number
  readonly gap_at: number | null
  readonly unconfirmed_until: number | null
}

export const CLOCK_COLUMNS =
  'high_water_at, steps, stepped_ms, jumped_at, jumped_by_ms, jumped_while_stopped, ahead_ms, gap_ms, gap_at, unconfirmed_until'

export function clockStateOf(row: ClockRow): ClockState {
  return {
    highWaterAt: dateOf(row.high_water_at),
    steps: row.steps,
    steppedMs: row.stepped_ms,
    lastJump:
      row.jumped_at === null
        ? null
        : {
            at: dateOf(row.jumped_at),
            byMs: row.jumped_by_ms ?? 0,
            whileStopped: row.jumped_while_stopped === 1,
          },
    aheadMs: row.ahead_ms,
    unconfirmedUntil: dateOrNull(row.unconfirmed_until),
  }
}

/** The values of the clock's row after a jump, in the parameter order of `step` in both engines. */
export function stepValues(
  state: ClockState,
  jump: Interval & { readonly whileStopped: boolean; readonly confirmMs: number | null },
  { aheadMs, gapMs }: { readonly aheadMs: number; readonly gapMs: number },
) {
  const { from, to, whileStopped } = jump
  return [
    msOf(to),
    msOf(to) - msOf(from),
    flagOf(whileStopped),
    unconfirmedAfter(state, jump),
    aheadMs,
    gapMs,
  ] as const
}

/**
 * The end of the unconfirmed time after a jump, at least `confirmMs` from now. A running wait keeps its length, and its
 * end moves with the clock.
 */
function unconfirmedAfter(
  state: ClockState,
  jump: Interval & { readonly confirmMs: number | null },
): number | null {
  const { from, to, confirmMs } = jump
  const running =
    state.unconfirmedUntil === null ? null : msOf(to) + Math.max(0, msOf(state.unconfirmedUntil) - msOf(from))
  if (confirmMs === null) return running
  return Math.max(running ?? 0, msOf(to) + confirmMs)
}
