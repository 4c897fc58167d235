import { createInFlight } from '../../src/pipeline/send/in-flight.ts'
import { createSettler, type SettlerDeps } from '../../src/pipeline/send/settler.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { silentMeter } from './silent-meter.ts'

/** A settler that logs and measures nothing, unless given. */
export function settlerOf(given: Pick<SettlerDeps, 'storage'> & Partial<SettlerDeps>) {
  const silent = { clock: systemClock, log: silentLog, meter: silentMeter }
  return createSettler({ ...silent, inFlight: createInFlight(), ...given })
}
