import type { Clock } from '../../runtime/clock.ts'
import { type Instant, instantOf } from '../../runtime/instant.ts'
import type { TimeStorage } from '../../storage/port/time.ts'

/** The database's clock and this machine's, read at the same moment. */
export type Reading = {
  readonly at: Instant
  /** The wall clock of this machine at that moment. */
  readonly wallAt: Date
  /** The monotonic clock at that moment, in milliseconds. */
  readonly readMs: number
  /** The maximum error of `at`: half of the round trip. */
  readonly errorMs: number
}

/** Maximum number of requests per reading; the fastest one is the most exact. */
const READINGS_MAX = 3
/** An error small enough to send no further request. */
const ERROR_MS_GOOD = 5

/** Reads the database's time several times and uses the response with the shortest round trip, dated at its middle. */
export async function readDatabaseClock(base: Clock, time: Pick<TimeStorage, 'now'>): Promise<Reading> {
  let best: Reading | null = null
  for (let count = 0; count < READINGS_MAX; count += 1) {
    const reading = await readOnce(base, time)
    if (best === null || reading.errorMs < best.errorMs) best = reading
    if (best.errorMs <= ERROR_MS_GOOD) break
  }
  if (best === null) throw new Error('the clock was not read')
  return best
}

async function readOnce(base: Clock, time: Pick<TimeStorage, 'now'>): Promise<Reading> {
  const startedMs = base.monotonicMs()
  const at = instantOf((await time.now()).getTime())
  const endedMs = base.monotonicMs()
  const errorMs = (endedMs - startedMs) / 2
  // The wall clock is read after the response, so half of the round trip is subtracted.
  return { at, wallAt: new Date(base.now().getTime() - errorMs), readMs: endedMs - errorMs, errorMs }
}

/** Milliseconds from `from` to `to`. */
export function differenceOf(from: Date, to: Date): number {
  return to.getTime() - from.getTime()
}
