import type { Clock } from '../../runtime/clock.ts'
import type { TimeStorage } from '../../storage/port/time.ts'

/** The database's clock and this machine's, read at one moment. */
export type Reading = {
  readonly at: Date
  /** What this machine's wall clock showed then. */
  readonly wallAt: Date
  /** The monotonic reading then. */
  readonly readMs: number
  /** `at` is off by no more than this: half of the round trip. */
  readonly errorMs: number
}

/** Questions for one reading: of a slow one and a fast one the fast one is exact. */
const QUESTIONS_MAX = 3
/** Exact enough to ask no more. */
const ERROR_MS_GOOD = 5

/** Asks for the database's time, and takes the answer with the shortest round trip, to which its middle belongs. */
export async function readDatabaseClock(base: Clock, time: Pick<TimeStorage, 'now'>): Promise<Reading> {
  let best: Reading | null = null
  for (let asked = 0; asked < QUESTIONS_MAX; asked += 1) {
    const reading = await readOnce(base, time)
    if (best === null || reading.errorMs < best.errorMs) best = reading
    if (best.errorMs <= ERROR_MS_GOOD) break
  }
  if (best === null) throw new Error('the clock was not read')
  return best
}

async function readOnce(base: Clock, time: Pick<TimeStorage, 'now'>): Promise<Reading> {
  const startedMs = base.monotonicMs()
  const at = await time.now()
  const endedMs = base.monotonicMs()
  const errorMs = (endedMs - startedMs) / 2
  // The wall clock is read after the answer, so half of the way back is taken off.
  return { at, wallAt: new Date(base.now().getTime() - errorMs), readMs: endedMs - errorMs, errorMs }
}

/** Milliseconds from `from` to `to`. */
export function differenceOf(from: Date, to: Date): number {
  return to.getTime() - from.getTime()
}
