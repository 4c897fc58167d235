import {
  adjustments,
  CLOCK_COLUMNS,
  type ClockRow,
  clockStateOf,
  forgetReference,
  repairs,
  stepValues,
} from '../../maintenance/clock-jump.ts'
import type { ClockState, TimeStorage } from '../../port/time.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

const DIALECT = { greatest: 'max', least: 'min' }

// Differs from postgres: SQLite has no clock.
export function timeStorage(db: Connection, now: () => Date): TimeStorage {
  return {
    now: async () => now(),
    state: async () => stateOf(db),

    recordReading: async (at, confirmMs, gapMs = 0) => {
      const row = db.get<ClockRow>(
        `insert into clock (one, high_water_at, unconfirmed_until) values (1, ?1, ?1 + ?2)
         on conflict (one) do update set high_water_at = ?1,
           unconfirmed_until = iif(unconfirmed_until > ?1, unconfirmed_until, null),
           gap_ms = gap_ms + ?3, gap_at = iif(?3 > 0, ?1, gap_at)
         returning ${CLOCK_COLUMNS}`,
        msOf(at),
        confirmMs,
        gapMs,
      )
      if (row === undefined) throw new Error('the statement returned no row of the clock')
      const statements = forgetReference(row, at, confirmMs)
      if (statements.length > 0)
        db.transaction(() => {
          for (const sql of statements) db.run(sql)
        })
      return clockStateOf(row)
    },

    step: async (jump) =>
      db.transaction(() => {
        const row = rowOf(db)
        if (row === undefined)
          throw new Error('a clock jump was reported before the first reading of the clock')
        const state = clockStateOf(row)
        if (state.steps !== jump.steps) return state
        const { statements, ...clock } = adjustments(jump, row, DIALECT)
        for (const sql of statements) db.run(sql)
        db.run(
          `update clock set high_water_at = ?1, steps = steps + 1, stepped_ms = stepped_ms + ?2, jumped_at = ?1, jumped_by_ms = ?2,
             jumped_while_stopped = ?3, unconfirmed_until = ?4, ahead_ms = ?5,
             gap_ms = ?6, gap_at = null`,
          ...stepValues(state, jump, clock),
        )
        return stateOf(db) ?? state
      }),

    repair: async (at, horizons) =>
      db.transaction(() => repairs('?1', horizons).reduce((rows, sql) => rows + db.run(sql, msOf(at)), 0)),
  }
}

function rowOf(db: Connection): ClockRow | undefined {
  return db.get<ClockRow>(`select ${CLOCK_COLUMNS} from clock`)
}

function stateOf(db: Connection): ClockState | null {
  const row = rowOf(db)
  return row === undefined ? null : clockStateOf(row)
}
