import type { Clock } from '../runtime/clock.ts'
import type { Loop } from '../runtime/loop.ts'
import type { Wake } from '../runtime/wake.ts'
import type { DueWork, FeedQueue } from '../storage/port/maintenance.ts'
import type { Storage } from '../storage/port/storage.ts'

export type DueWorkDeps = {
  readonly storage: Pick<Storage, 'maintenance'>
  readonly clock: Clock
  readonly wake: Wake
}

/** The loops that due work of each kind wakes. */
export type LoopsByQueue = {
  readonly poll: (queue: FeedQueue) => string
  readonly enrich: string
  readonly fanOut: string
  readonly send: string
  readonly replay: string
}

export const DUE_WORK_LOOP = 'pulse'

/** Between two reads of the due work: the longest delay of work that another process made. */
const PULSE_MS = 1000
/** The minimum time between two reads, however close the due instants are. */
const PULSE_MS_MIN = 5

/**
 * Reads once a second when the next work of each queue is due, and wakes the loops at these instants. So an idle node
 * costs one statement a second, and work that becomes due in between starts on time.
 */
export function dueWorkLoop({ storage, clock, wake }: DueWorkDeps, woken: LoopsByQueue): Loop {
  return {
    name: DUE_WORK_LOOP,
    idleMs: PULSE_MS,
    async pass(signal) {
      const now = clock.now()
      const due = await storage.maintenance.dueWork(now)
      const instants = instantsOf(due, woken)
      for (const { at, loop } of instants) if (at <= now) wake.wake(loop)
      await wake.wait(DUE_WORK_LOOP, waitMs(instants, now), signal)
      return 'worked'
    },
  }
}

type Instant = { readonly at: Date; readonly loop: string }

function instantsOf(due: DueWork, woken: LoopsByQueue): Instant[] {
  const { polls, enrichAt, fanOutAt, sendAt, replayAt } = due
  const all = [
    ...Object.entries(polls).map(([queue, at]) => ({ at, loop: woken.poll(queue as FeedQueue) })),
    { at: enrichAt, loop: woken.enrich },
    { at: fanOutAt, loop: woken.fanOut },
    { at: sendAt, loop: woken.send },
    { at: replayAt, loop: woken.replay },
  ]
  return all.flatMap(({ at, loop }) => (at === null ? [] : [{ at, loop }]))
}

/** Until the next instant at which something becomes due, a second at most. */
function waitMs(instants: readonly Instant[], now: Date): number {
  const aheadMs = instants.map(({ at }) => at.getTime() - now.getTime()).filter((ms) => ms > 0)
  return Math.max(PULSE_MS_MIN, Math.min(PULSE_MS, ...aheadMs))
}
