import type { ClockState, TimeStorage } from '../../port/time.ts'
import { msOf } from '../../values.ts'
import { type Db, get, lock, run, type Work } from '../../work.ts'
import {
  adjustments,
  CLOCK_COLUMNS,
  type ClockRow,
  clockStateOf,
  forgetReference,
  repairs,
  stepValues,
} from './clock-jump.ts'

/** `now`: the clock of the database, or a replacement. */
export function timeStorage(db: Db, now: () => Promise<Date>): TimeStorage {
  return {
    now,

    state: () => db.alone(stateOf()),

    recordReading: (at, confirmMs, gapMs = 0) =>
      db.transaction(function* () {
        const row = yield* get<ClockRow>(RECORD, msOf(at), confirmMs, gapMs)
        if (row === undefined) throw new Error('the statement returned no row of the clock')
        for (const statement of forgetReference(row, at, confirmMs)) yield* run(statement)
        return clockStateOf(row)
      }),

    step: (jump) =>
      db.transaction(function* () {
        // Only one node adjusts to a jump, after all transactions that have read the clock and before all that will (clock-steps.ts).
        yield* lock('lock table clock in access exclusive mode')
        const row = yield* get<ClockRow>(CLOCK)
        if (row === undefined)
          throw new Error('a clock jump was reported before the first reading of the clock')
        const state = clockStateOf(row)
        if (state.steps !== jump.steps) return state
        const { statements, ...clock } = adjustments(jump, row)
        for (const statement of statements) yield* run(statement)
        yield* run(STEP, ...stepValues(state, jump, clock))
        return (yield* stateOf()) ?? state
      }),

    repair: (at, horizons) =>
      db.transaction(function* () {
        let rows = 0
        for (const statement of repairs('cast(?1 as bigint)', horizons))
          rows += yield* run(statement, msOf(at))
        return rows
      }),
  }
}

const CLOCK = `select ${CLOCK_COLUMNS} from clock`

const RECORD = `insert into clock (one, high_water_at, unconfirmed_until)
  values (1, cast(?1 as bigint), cast(?1 as bigint) + cast(?2 as bigint))
  on conflict (one) do update set high_water_at = excluded.high_water_at,
    unconfirmed_until = case when clock.unconfirmed_until > excluded.high_water_at then clock.unconfirmed_until end,
    gap_ms = clock.gap_ms + cast(?3 as bigint),
    gap_at = case when cast(?3 as bigint) > 0 then excluded.high_water_at else clock.gap_at end
  returning ${CLOCK_COLUMNS}`

const STEP = `update clock set high_water_at = ?1, steps = steps + 1, stepped_ms = stepped_ms + ?2, jumped_at = ?1,
  jumped_by_ms = ?2, jumped_while_stopped = ?3, unconfirmed_until = ?4, ahead_ms = ?5, gap_ms = ?6, gap_at = null`

function* stateOf(): Work<ClockState | null> {
  const row = yield* get<ClockRow>(CLOCK)
  return row === undefined ? null : clockStateOf(row)
}
