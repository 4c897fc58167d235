import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { Meter } from '../../runtime/meter.ts'
import type { Storage } from '../../storage/port.ts'

export type HousekeepingDeps = {
  readonly storage: Pick<Storage, 'deliveries' | 'dead' | 'upkeep'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Tells the sender that deliveries wait. */
  readonly onReplayed: () => void
}

export type HousekeepingSettings = {
  /** How long review texts and delivered payloads are kept. */
  readonly retentionMs: number
  /** From a replay: when its wait list would have ended. */
  readonly giveUpAfterMs: number
}

export const REPLAY_LOOP = 'replay'
export const HOUSEKEEPING_LOOP = 'housekeeping'

/** Rows in one commit, and the pause after it, so that sending never stalls behind it (a commit takes some 10 ms). */
const BATCH = 500
const PAUSE_MS = 50
/** What is swept is late by days, and waits for nobody; a hook that is removed wakes the sweep. */
const SWEEP_EVERY_MS = 60_000
const PRUNE_EVERY_MS = 600_000

/** Puts dead letters of bulk replays back on the queue, at each job's own speed. */
export function replayLoop(deps: HousekeepingDeps, settings: HousekeepingSettings): Loop {
  return {
    name: REPLAY_LOOP,
    idleMs: SWEEP_EVERY_MS,
    async pass() {
      const queued = await deps.storage.dead.advanceReplays(deps.clock.now(), settings.giveUpAfterMs)
      if (queued > 0) {
        deps.log.info('dead_letters.replayed', { queued })
        deps.onReplayed()
      }
      return 'idle'
    },
  }
}

/** Makes dead letters of what can no longer be sent, and deletes what retention no longer keeps. */
export function housekeepingLoop(deps: HousekeepingDeps, settings: HousekeepingSettings): Loop {
  const { storage, clock, log } = deps
  let pruneAtMs = Number.NEGATIVE_INFINITY
  return {
    name: HOUSEKEEPING_LOOP,
    idleMs: SWEEP_EVERY_MS,
    async pass(signal) {
      const now = clock.now()
      const ended = await storage.deliveries.sweepEnded(now, BATCH)
      const expired = await storage.deliveries.sweepExpired(now, settings.giveUpAfterMs, BATCH)
      if (ended.dead > 0) deps.meter.count('dead_letters_total', { reason: 'gone' }, ended.dead)
      if (expired > 0) deps.meter.count('dead_letters_total', { reason: 'expired' }, expired)
      const pruning = clock.monotonicMs() >= pruneAtMs
      const before = new Date(now.getTime() - settings.retentionMs)
      const pruned = pruning ? await storage.upkeep.prune(before, BATCH) : 0
      if (pruning && pruned === 0) pruneAtMs = clock.monotonicMs() + PRUNE_EVERY_MS
      const swept = ended.dead + ended.dropped
      if (swept + expired + pruned > 0) log.info('deliveries.swept', { ...ended, expired, pruned })
      const more = swept >= BATCH || expired >= BATCH || pruned > 0
      if (more) await clock.sleep(PAUSE_MS, signal)
      return more ? 'worked' : 'idle'
    },
  }
}
