import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { DeadLetterStorage } from '../../storage/port/dead-letters.ts'

export type ReplayLoopDeps = {
  readonly deadLetters: Pick<DeadLetterStorage, 'advanceReplays'>
  readonly clock: Clock
  readonly log: Log
  /** Called when dead letters were queued again. */
  readonly onReplayed: () => void
}

export type ReplayLoopSettings = {
  /** How long after its replay a delivery expires. */
  readonly expireAfterMs: number
}

export const REPLAY_LOOP = 'replay'

/** A fallback: a running replay wakes the loop at its own rate. */
const IDLE_MS = 60_000

/** Queues the dead letters of bulk replays again, at the rate of each replay. */
export function replayLoop(deps: ReplayLoopDeps, { expireAfterMs }: ReplayLoopSettings): Loop {
  return {
    name: REPLAY_LOOP,
    idleMs: IDLE_MS,
    async pass() {
      const queued = await deps.deadLetters.advanceReplays(deps.clock.now(), expireAfterMs)
      if (queued > 0) {
        deps.log.info('dead_letters.replayed', { queued })
        deps.onReplayed()
      }
      return 'idle'
    },
  }
}
