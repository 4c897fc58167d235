import type { ClockState, Horizons } from './port/time.ts'
import { dateOf, dateOrNull, msOf } from './values.ts'

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

/**
 * The clock went back from `from` to `to`. Instants ahead of `to` move by the difference: appointments keep their distance,
 * and what happened while the clock was ahead gets the time at which it really happened, never later than now. An appointment
 * made before the clock went ahead, and not yet due, comes early by the difference instead: once, and never late.
 * Hooks and watches move too, for a hook made while the clock was ahead would otherwise miss reviews until then.
 * Not moved: bytes of events, histories of ratings and figures by the hour, which nothing waits for.
 */
export function stepBack(from: Date, to: Date, { greatest, least }: Dialect): string[] {
  const now = msOf(to)
  const by = msOf(from) - now
  const moved = (column: string) => `${greatest}(${column} - ${by}, ${LEAST_MS})`
  const ahead = (column: string) =>
    `${column} = case when ${column} > ${now} then ${moved(column)} else ${column} end`
  const past = (column: string) =>
    `${column} = case when ${column} > ${now} then ${least}(${moved(column)}, ${now}) else ${column} end`
  const any = (...columns: string[]) => columns.map((column) => `${column} > ${now}`).join(' or ')
  const endsMax = now + GIVE_UP_AHEAD_MS_MAX
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
    `update hooks set ${past('created_at')}, ${past('deleted_at')} where ${any('created_at', 'deleted_at')}`,
    `update watches set ${past('created_at')} where ${any('created_at')}`,
    `update tokens set ${past('last_used_at')} where ${any('last_used_at')}`,
    `update apps set ${past('told_at')} where ${any('told_at')}`,
    `update invitations set ${past('created_at')}, ${ahead('expires_at')} where ${any('created_at')}`,
    `update notices set ${past('at')} where ${any('at')}`,
    `update nodes set ${past('started_at')}, ${past('seen_at')} where ${any('started_at', 'seen_at')}`,
  ]
}

/** The clock went forward: what is leased stays leased for as long as it was. */
export function extendLeases(from: Date, to: Date): string[] {
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
  readonly unconfirmed_until: number | null
}

export const CLOCK_COLUMNS =
  'high_water_at, steps, jumped_at, jumped_by_ms, jumped_while_stopped, unconfirmed_until'

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

/**
 * Until when the time is unconfirmed after a jump: at least `confirmMs` from now on. A wait that runs keeps its length: its end
 * moves with the clock.
 */
export function unconfirmedAfter(
  state: ClockState,
  jump: { readonly from: Date; readonly to: Date; readonly confirmMs: number | null },
): number | null {
  const { from, to, confirmMs } = jump
  const running =
    state.unconfirmedUntil === null ? null : msOf(to) + Math.max(0, msOf(state.unconfirmedUntil) - msOf(from))
  if (confirmMs === null) return running
  return Math.max(running ?? 0, msOf(to) + confirmMs)
}
