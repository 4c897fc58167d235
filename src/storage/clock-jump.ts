import type { ClockState, Horizons } from './port/time.ts'
import { dateOf, dateOrNull, flagOf, msOf } from './values.ts'

/**
 * What a jump of the clock does to stored instants, as SQL of both engines. Statements carry their numbers, which are ours:
 * they run once a jump or once a minute, and the next ones have other numbers.
 */

/** How an engine says "the greater of two numbers" and "the lesser". */
export type Dialect = { readonly greatest: string; readonly least: string }

/** The end of a delivery further ahead than this was set under another clock; one an hour late does no harm. */
const GIVE_UP_AHEAD_MS_MAX = 30 * 24 * 3_600_000
/** No instant becomes 0, which has a meaning of its own for feeds, or negative. */
const LEAST_MS = 1

/** A jump of so much less or more than the opposite one before undoes it: time passed between them while nothing ran. */
const UNDO_TOLERANCE_MS = 60_000
const UNDO_TOLERANCE_SHARE = 0.01

const PAST_OF_FEEDS = [
  'claimed_due_at',
  'last_polled_at',
  'last_ok_at',
  'failing_since',
  'fallback_since',
  'probed_at',
  'frozen_since',
  'other_asked_at',
]
const PAST_OF_ROWS = ['first_seen_at', 'last_seen_at', 'changed_at', 'checked_at']

type Interval = { readonly from: Date; readonly to: Date }
type Jump = Interval & { readonly whileStopped: boolean }

/** What a jump does to stored instants, and whether it undoes the jump before it, which is in `clock`. */
export function adjustments(
  jump: Interval & { readonly extendLeases: boolean },
  clock: ClockRow,
  dialect: Dialect,
): { readonly isUndo: boolean; readonly statements: readonly string[] } {
  const undone = undoneBy(jump, clock)
  const isUndo = undone !== null
  if (jump.to < jump.from) return { isUndo, statements: stepBack(jump, isUndo, dialect) }
  return {
    isUndo,
    statements: [
      ...(undone === null ? [] : undoStepBack(jump, undone, dialect)),
      ...(jump.extendLeases ? extendLeases(jump) : []),
    ],
  }
}

/** The last jump, when this one goes the other way by about as much. A jump that undid another is right and stays. */
function undoneBy({ from, to }: Interval, clock: ClockRow): Jump | null {
  if (clock.jumped_at === null || clock.jumped_by_ms === null || clock.jumped_undoes === 1) return null
  const byMs = msOf(to) - msOf(from)
  const toleranceMs = UNDO_TOLERANCE_MS + Math.abs(clock.jumped_by_ms) * UNDO_TOLERANCE_SHARE
  if (byMs > 0 === clock.jumped_by_ms > 0 || Math.abs(byMs + clock.jumped_by_ms) > toleranceMs) return null
  return {
    from: dateOf(clock.jumped_at - clock.jumped_by_ms),
    to: dateOf(clock.jumped_at),
    whileStopped: clock.jumped_while_stopped === 1,
  }
}

/**
 * The clock went back from `from` to `to`. Instants ahead of `to` move by the difference: appointments keep their distance,
 * and what happened while the clock was ahead gets the time at which it really happened, never later than now. An appointment
 * made before the clock went ahead, and not yet due, comes early by the difference instead: once, and never late.
 * Hooks and watches move too, for a hook made while the clock was ahead would otherwise miss reviews until then. How far they
 * moved is kept, in case the clock was right before. `isUndo`: it was not, this jump sets it right.
 * Not moved: bytes of events, histories of ratings and figures by the hour, which nothing waits for.
 */
function stepBack({ from, to }: Interval, isUndo: boolean, { greatest, least }: Dialect): string[] {
  const now = msOf(to)
  const by = msOf(from) - now
  const moved = (column: string) => `${greatest}(${column} - ${by}, ${LEAST_MS})`
  const ahead = (column: string) =>
    `${column} = case when ${column} > ${now} then ${moved(column)} else ${column} end`
  const past = (column: string) =>
    `${column} = case when ${column} > ${now} then ${least}(${moved(column)}, ${now}) else ${column} end`
  const any = (...columns: string[]) => columns.map((column) => `${column} > ${now}`).join(' or ')
  const endsMax = now + GIVE_UP_AHEAD_MS_MAX
  // Of the last jump only: an earlier one that nothing undid was right.
  const createdMoved = isUndo
    ? 'created_moved_ms = 0'
    : `created_moved_ms = case when created_at > ${now}
         then created_at - ${least}(${moved('created_at')}, ${now}) else 0 end`
  return [
    `update feeds set ${ahead('next_poll_at')}, ${PAST_OF_FEEDS.map(past).join(', ')}
     where ${any('next_poll_at', ...PAST_OF_FEEDS)}`,
    `update quarantined_rows set ${PAST_OF_ROWS.map(past).join(', ')} where ${any(...PAST_OF_ROWS)}`,
    `update reviews set ${ahead('enrich_leased_until')} where enrich_leased_until > ${now}`,
    `update reviews set ${past('observed_at')} where observed_at > ${now}`,
    `update occurrences set ${ahead('ready_at')}, ${past('observed_at')}
     where ready_at is not null and (${any('ready_at', 'observed_at')})`,
    `update lanes set ${ahead('turn_at')}, ${ahead('not_before')}, ${ahead('deferred_until')}, ${ahead('sweep_at')},
       ${past('released_at')}
     where ${any('turn_at', 'not_before', 'deferred_until', 'sweep_at', 'released_at')}`,
    `update deliveries set ${ahead('due_at')}, ${ahead('leased_until')},
       give_up_at = case when give_up_at > ${endsMax} then ${moved('give_up_at')} else give_up_at end
     where status = 'pending' and (${any('due_at', 'leased_until')} or give_up_at > ${endsMax})`,
    `update deliveries set ${past('dead_at')} where status = 'dead' and resolved_at is null and dead_at > ${now}`,
    `update deliveries set ${past('delivered_at')}, ${past('resolved_at')}
     where (delivered_at is not null or resolved_at is not null) and coalesce(delivered_at, resolved_at) > ${now}`,
    `update replays set ${ahead('next_at')}, ${past('created_at')} where ${any('next_at', 'created_at')}`,
    `update pace set ${ahead('arrival_at_ms')}, ${ahead('blocked_until')} where ${any('arrival_at_ms', 'blocked_until')}`,
    `update hooks set ${past('created_at')}, ${createdMoved}, ${past('deleted_at')}
     where ${any('created_at', 'deleted_at')} or created_moved_ms <> 0`,
    `update watches set ${past('created_at')}, ${createdMoved} where ${any('created_at')} or created_moved_ms <> 0`,
    `update tokens set ${past('last_used_at')} where ${any('last_used_at')}`,
    `update apps set ${past('told_at')} where ${any('told_at')}`,
    `update invitations set ${past('created_at')}, ${ahead('expires_at')} where ${any('created_at')}`,
    `update notices set ${past('at')} where ${any('at')}`,
    `update nodes set ${past('started_at')}, ${past('seen_at')} where ${any('started_at', 'seen_at')}`,
  ]
}

/**
 * The clock went back from `wrong.from` to `wrong.to`, wrongly, and this jump sets it right. Hooks and watches that the jump
 * back moved get their time of creation back; those created since move forward by as much as the clock was behind. Without
 * this they would look forward from a time in the past and get old reviews. No time of creation becomes later than now.
 */
function undoStepBack({ from, to }: Interval, wrong: Jump, { least }: Dialect): string[] {
  // A jump found at a start is as much too far forward as nothing ran: the other one is exact.
  const forwardMs = msOf(to) - msOf(from)
  const by = wrong.whileStopped ? forwardMs : Math.min(msOf(wrong.from) - msOf(wrong.to), forwardMs)
  return ['hooks', 'watches'].map(
    (table) =>
      `update ${table} set created_moved_ms = 0,
         created_at = ${least}(created_at + case when created_moved_ms = 0 then ${by} else created_moved_ms end, ${msOf(to)})
       where created_moved_ms <> 0 or created_at between ${msOf(wrong.to)} and ${msOf(from)}`,
  )
}

/** The clock went forward: what is leased stays leased for as long as it was. */
function extendLeases({ from, to }: Interval): string[] {
  const was = msOf(from)
  const by = msOf(to) - was
  return [
    `update feeds set next_poll_at = next_poll_at + ${by} where lease is not null and next_poll_at > ${was}`,
    `update reviews set enrich_leased_until = enrich_leased_until + ${by} where enrich_leased_until > ${was}`,
    `update deliveries set leased_until = leased_until + ${by} where status = 'pending' and leased_until > ${was}`,
  ]
}

/** Makes due now what lies beyond its horizon. Each condition is the far end of an index. */
export function repairs(at: Date, horizons: Horizons): string[] {
  const now = msOf(at)
  const beyond = (column: string, aheadMs: number) => `${column} > ${now + Math.ceil(aheadMs)}`
  const lanes = `select hook_id from lanes where ${beyond('turn_at', horizons.deliveryMs)}`
  return [
    `update feeds set next_poll_at = ${now} where store in ('apple', 'google') and kind in ('reviews', 'rating')
       and ${beyond('next_poll_at', horizons.pollMs)}`,
    `update occurrences set ready_at = ${now} where ${beyond('ready_at', horizons.readyMs)}`,
    `update reviews set enrich_leased_until = ${now} where ${beyond('enrich_leased_until', horizons.enrichLeaseMs)}`,
    `update deliveries set due_at = ${now}, leased_until = null, lease = null
     where hook_id in (${lanes}) and status = 'pending'
       and (${beyond('due_at', horizons.deliveryMs)} or ${beyond('leased_until', horizons.deliveryMs)})`,
    `update lanes set turn_at = ${now}, not_before = null, deferred_until = null
     where ${beyond('turn_at', horizons.deliveryMs)}`,
    `update replays set next_at = ${now} where status = 'running' and ${beyond('next_at', horizons.replayMs)}`,
    `update pace set blocked_until = ${now} where ${beyond('blocked_until', horizons.storeBlockMs)}`,
  ]
}

export type ClockRow = {
  readonly high_water_at: number
  readonly steps: number
  readonly jumped_at: number | null
  readonly jumped_by_ms: number | null
  readonly jumped_while_stopped: number | null
  readonly jumped_undoes: number
  readonly unconfirmed_until: number | null
}

export const CLOCK_COLUMNS =
  'high_water_at, steps, jumped_at, jumped_by_ms, jumped_while_stopped, jumped_undoes, unconfirmed_until'

export function clockStateOf(row: ClockRow): ClockState {
  return {
    highWaterAt: dateOf(row.high_water_at),
    steps: row.steps,
    lastJump:
      row.jumped_at === null
        ? null
        : {
            at: dateOf(row.jumped_at),
            byMs: row.jumped_by_ms ?? 0,
            whileStopped: row.jumped_while_stopped === 1,
          },
    unconfirmedUntil: dateOrNull(row.unconfirmed_until),
  }
}

/** What the row of the clock becomes with a jump, in the order in which both engines' `step` takes them. */
export function stepValues(
  state: ClockState,
  jump: Interval & { readonly whileStopped: boolean; readonly confirmMs: number | null },
  isUndo: boolean,
) {
  const { from, to, whileStopped } = jump
  return [
    msOf(to),
    msOf(to) - msOf(from),
    flagOf(whileStopped),
    unconfirmedAfter(state, jump),
    flagOf(isUndo),
  ] as const
}

/**
 * Until when the time is unconfirmed after a jump: at least `confirmMs` from now on. A wait that runs keeps its length: its end
 * moves with the clock.
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
