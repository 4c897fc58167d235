import type { Clock } from '../runtime/clock.ts'
import type { Loop } from '../runtime/loop.ts'
import type { Wake } from '../runtime/wake.ts'
import type { DueWork } from '../storage/port/upkeep.ts'
import type { Storage } from '../storage/port.ts'

export type PulseDeps = {
  readonly storage: Pick<Storage, 'upkeep'>
  readonly clock: Clock
  readonly wake: Wake
}

/** Which loops each kind of due work wakes. */
export type Woken = { readonly [Kind in keyof DueWork]: readonly string[] }

export const PULSE_LOOP = 'pulse'

/** Between two looks at what is due: work made by another process waits no longer than this. */
const PULSE_MS = 1000
/** Looks are never closer than this, however closely due instants lie. */
const PULSE_MS_MIN = 5

/**
 * One cheap question a second, which wakes each loop at the instant it has something to do. So an idle node costs one
 * statement a second, and work that becomes due in between is still begun on time.
 */
export function pulseLoop({ storage, clock, wake }: PulseDeps, woken: Woken): Loop {
  return {
    name: PULSE_LOOP,
    idleMs: PULSE_MS,
    async pass(signal) {
      const now = clock.now()
      const due = await storage.upkeep.dueWork(now)
      for (const name of dueNow(due, woken, now)) wake.wake(name)
      await wake.wait(PULSE_LOOP, waitMs(due, now), signal)
      return 'worked'
    },
  }
}

function dueNow(due: DueWork, woken: Woken, now: Date): string[] {
  return kindsOf(woken).flatMap((kind) => {
    const at = due[kind]
    return at !== null && at <= now ? woken[kind] : []
  })
}

/** Until the next instant at which something becomes due, a second at most. */
function waitMs(due: DueWork, now: Date): number {
  const aheadMs = Object.values(due)
    .map((at) => (at === null ? Number.POSITIVE_INFINITY : at.getTime() - now.getTime()))
    .filter((ms) => ms > 0)
  return Math.max(PULSE_MS_MIN, Math.min(PULSE_MS, ...aheadMs))
}

function kindsOf(woken: Woken): (keyof DueWork)[] {
  return Object.keys(woken) as (keyof DueWork)[]
}
