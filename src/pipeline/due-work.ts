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
  readonly official: string
  readonly history: string
  readonly reply: string
}

export const DUE_WORK_LOOP = 'pulse'

/** The interval between two reads: the longest delay of work that another process created. */
const READ_EVERY_MS = 1000
/** The minimum interval between two reads. */
const READ_EVERY_MS_MIN = 5
/**
 * The interval after a read that found new due work: its loop claims it meanwhile, so the next read sees what is due after it. With a
 * second, the feeds that became due within it were polled together, and their events came in bursts.
 */
const READ_AGAIN_MS = 50

/**
 * Reads when the next work of each queue is due, and wakes its loop then: once a second while nothing is due, so an idle node costs one
 * statement per second, and sooner while work becomes due. So work that becomes due between two reads starts on time.
 */
export function dueWorkLoop({ storage, clock, wake }: DueWorkDeps, loops: LoopsByQueue): Loop {
  let due: readonly Instant[] = []
  let againMs = READ_AGAIN_MS
  return {
    name: DUE_WORK_LOOP,
    idleMs: READ_EVERY_MS,
    async pass(signal) {
      const now = clock.now()
      const instants = instantsOf(await storage.maintenance.dueWork(now), loops)
      const before = due
      due = instants.filter(({ at }) => at <= now)
      for (const { loop } of due) wake.wake(loop)
      const isNew = due.some((one) => !before.some((other) => isSame(one, other)))
      // Work that cannot be claimed, such as feeds of a blocked store, stays due and must not cause many reads.
      againMs = isNew ? READ_AGAIN_MS : Math.min(READ_EVERY_MS, againMs * 2)
      await wake.wait(
        DUE_WORK_LOOP,
        waitMs(instants, now, due.length === 0 ? READ_EVERY_MS : againMs),
        signal,
      )
      return 'worked'
    },
  }
}

type Instant = { readonly at: Date; readonly loop: string }

function instantsOf(due: DueWork, loops: LoopsByQueue): Instant[] {
  const { polls, enrichAt, fanOutAt, sendAt, replayAt, officialAt, historyAt, replyAt } = due
  const all = [
    ...Object.entries(polls).map(([queue, at]) => ({ at, loop: loops.poll(queue as FeedQueue) })),
    { at: enrichAt, loop: loops.enrich },
    { at: fanOutAt, loop: loops.fanOut },
    { at: sendAt, loop: loops.send },
    { at: replayAt, loop: loops.replay },
    { at: officialAt, loop: loops.official },
    { at: historyAt, loop: loops.history },
    { at: replyAt, loop: loops.reply },
  ]
  return all.flatMap(({ at, loop }) => (at === null ? [] : [{ at, loop }]))
}

function isSame(a: Instant, b: Instant): boolean {
  return a.loop === b.loop && a.at.getTime() === b.at.getTime()
}

/** The time until the next work is due, at most `maxMs`. */
function waitMs(instants: readonly Instant[], now: Date, maxMs: number): number {
  const aheadMs = instants.map(({ at }) => at.getTime() - now.getTime()).filter((ms) => ms > 0)
  return Math.max(READ_EVERY_MS_MIN, Math.min(maxMs, ...aheadMs))
}
