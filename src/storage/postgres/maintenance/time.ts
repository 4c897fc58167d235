import {
  adjustments,
  CLOCK_COLUMNS,
  type ClockRow,
  clockStateOf,
  forgetReference,
  repairs,
  stepValues,
} from '../../maintenance/clock-jump.ts'
import type { TimeStorage } from '../../port/time.ts'
import { dateOf, msOf } from '../../values.ts'
import type { Database } from '../connect.ts'

const DIALECT = { greatest: 'greatest', least: 'least' }

/** `databaseNow` replaces the server's clock in tests; null uses the server's clock. */
export function timeStorage(db: Database, databaseNow: (() => Date) | null): TimeStorage {
  return {
    now: async () => (databaseNow === null ? serverNow(db) : databaseNow()),

    state: async () => {
      const row = await db.get<ClockRow>(`select ${CLOCK_COLUMNS} from clock`)
      return row === undefined ? null : clockStateOf(row)
    },

    recordReading: async (at, confirmMs, gapMs = 0) => {
      const row = await db.get<ClockRow>(
        `insert into clock (one, high_water_at, unconfirmed_until) values (1, $1::bigint, $1::bigint + $2::bigint)
         on conflict (one) do update set high_water_at = excluded.high_water_at,
           unconfirmed_until = case when clock.unconfirmed_until > excluded.high_water_at
             then clock.unconfirmed_until end,
           gap_ms = clock.gap_ms + $3::bigint,
           gap_at = case when $3::bigint > 0 then excluded.high_water_at else clock.gap_at end
         returning ${CLOCK_COLUMNS}`,
        msOf(at),
        confirmMs,
        gapMs,
      )
      if (row === undefined) throw new Error('the statement returned no row of the clock')
      const statements = forgetReference(row, at, confirmMs)
      if (statements.length > 0)
        await db.transaction(async (tx) => {
          for (const sql of statements) await tx.run(sql)
        })
      return clockStateOf(row)
    },

    step: async (jump) =>
      db.transaction(async (tx) => {
        // Differs from sqlite: locks the table first, so that only one node adjusts to a jump, after all transactions that have read the
        // clock and before all that will (clock-steps.ts).
        await tx.run('lock table clock in access exclusive mode')
        const row = await tx.get<ClockRow>(`select ${CLOCK_COLUMNS} from clock`)
        if (row === undefined)
          throw new Error('a clock jump was reported before the first reading of the clock')
        const state = clockStateOf(row)
        if (state.steps !== jump.steps) return state
        const { statements, ...clock } = adjustments(jump, row, DIALECT)
        for (const sql of statements) await tx.run(sql)
        const after = await tx.get<ClockRow>(
          `update clock set high_water_at = $1, steps = steps + 1, stepped_ms = stepped_ms + $2, jumped_at = $1, jumped_by_ms = $2,
             jumped_while_stopped = $3, unconfirmed_until = $4, ahead_ms = $5,
             gap_ms = $6, gap_at = null returning ${CLOCK_COLUMNS}`,
          ...stepValues(state, jump, clock),
        )
        return clockStateOf(after ?? row)
      }),

    repair: async (at, horizons) =>
      db.transaction(async (tx) => {
        let rows = 0
        for (const sql of repairs('$1::bigint', horizons)) rows += await tx.run(sql, msOf(at))
        return rows
      }),
  }
}

/** The server's time in whole milliseconds, like every stored instant. */
async function serverNow(db: Database): Promise<Date> {
  const row = await db.get<{ ms: number }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
  )
  if (row === undefined) throw new Error('the server did not return its time')
  return dateOf(row.ms)
}
