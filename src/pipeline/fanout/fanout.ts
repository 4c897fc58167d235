import type { Meter } from '../../model/metrics.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { eventsOf } from './events.ts'

export type FanOutDeps = {
  readonly storage: Pick<Storage, 'occurrences'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Wakes the sender. */
  readonly onEvents: () => void
}

export type FanOutSettings = {
  /** How long after its creation an event expires. */
  readonly expireAfterMs: number
  /** How long texts of reviews are stored. */
  readonly reviewsKeptMs: number
  readonly idleMs: number
}

export const FAN_OUT_LOOP = 'fanout'

/** The most occurrences in one commit. Storage commits fewer when they create many events. */
const OCCURRENCES_PER_COMMIT = 250

/** Creates one delivery for each hook that matches an occurrence. */
export function fanOutLoop(deps: FanOutDeps, settings: FanOutSettings): Loop {
  const { storage, clock, log, meter, onEvents } = deps
  const { expireAfterMs, reviewsKeptMs } = settings
  return {
    name: FAN_OUT_LOOP,
    idleMs: settings.idleMs,
    pass: async () => {
      const made = await storage.occurrences.fanOut(
        {
          now: clock.now(),
          limit: OCCURRENCES_PER_COMMIT,
          expireAfterMs,
          reviewsKeptMs,
        },
        eventsOf,
      )
      if (made.events > 0) {
        meter.count('events_total', {}, made.events)
        onEvents()
      }
      if (made.occurrences > 0) log.debug('occurrences.fanned_out', made)
      return made.occurrences > 0 ? 'worked' : 'idle'
    },
  }
}
