import type { Clock } from '../../runtime/clock.ts'
import type { TimeStorage } from '../../storage/port/time.ts'

/** The database's clock and this machine's, read at the same moment. */
export type Reading = {
  readonly at: Date
  /** This machine's wall clock at that moment. */
  readonly wallAt: Date
  /** The monotonic reading then. */
  readonly readMs: number
  /** `at` is off by no more than this: half of the round trip. */
  readonly errorMs: number
}

/** Requests for one reading: the fastest one is the most exact. */
const QUESTIONS_MAX = 3
/** Exact enough to stop. */
const ERROR_MS_GOOD = 5

/** Reads the database's time several times and uses the answer with the shortest round trip, dated at its middle. */
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
  // The wall clock is read after the answer, so half of the round trip is subtracted.
  return { at, wallAt: new Date(base.now().getTime() - errorMs), readMs: endedMs - errorMs, errorMs }
}

/** Milliseconds from `from` to `to`. */
export function differenceOf(from: Date, to: Date): number {
  return to.getTime() - from.getTime()
}
