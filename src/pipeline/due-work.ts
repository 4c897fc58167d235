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

/** The interval between two reads: the longest delay of work that another process created. */
const READ_EVERY_MS = 1000
/** The minimum interval between two reads. */
const READ_EVERY_MS_MIN = 5

/**
 * Reads once a second when the next work of each queue is due, and wakes its loop then. So an idle node costs one
 * statement per second, and work that becomes due between two reads starts on time.
 */
export function dueWorkLoop({ storage, clock, wake }: DueWorkDeps, loops: LoopsByQueue): Loop {
  return {
    name: DUE_WORK_LOOP,
    idleMs: READ_EVERY_MS,
    async pass(signal) {
      const now = clock.now()
      const due = await storage.maintenance.dueWork(now)
      const instants = instantsOf(due, loops)
      for (const { at, loop } of instants) if (at <= now) wake.wake(loop)
      await wake.wait(DUE_WORK_LOOP, waitMs(instants, now), signal)
      return 'worked'
    },
  }
}

type Instant = { readonly at: Date; readonly loop: string }

function instantsOf(due: DueWork, loops: LoopsByQueue): Instant[] {
  const { polls, enrichAt, fanOutAt, sendAt, replayAt } = due
  const all = [
    ...Object.entries(polls).map(([queue, at]) => ({ at, loop: loops.poll(queue as FeedQueue) })),
    { at: enrichAt, loop: loops.enrich },
    { at: fanOutAt, loop: loops.fanOut },
    { at: sendAt, loop: loops.send },
    { at: replayAt, loop: loops.replay },
  ]
  return all.flatMap(({ at, loop }) => (at === null ? [] : [{ at, loop }]))
}

/** The time until the next work is due, a second at most. */
function waitMs(instants: readonly Instant[], now: Date): number {
  const aheadMs = instants.map(({ at }) => at.getTime() - now.getTime()).filter((ms) => ms > 0)
  return Math.max(READ_EVERY_MS_MIN, Math.min(READ_EVERY_MS, ...aheadMs))
}
