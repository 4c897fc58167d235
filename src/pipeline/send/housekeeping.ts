import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { Meter } from '../../runtime/meter.ts'
import type { Horizons } from '../../storage/port/time.ts'
import type { PruneQuotas } from '../../storage/port/upkeep.ts'
import type { Storage } from '../../storage/port.ts'

export type HousekeepingDeps = {
  readonly storage: Pick<Storage, 'deliveries' | 'dead' | 'upkeep' | 'time'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Whether the time is sure enough to delete or give up something for its age; absent: it is. */
  readonly mayDelete?: (() => boolean) | undefined
  /** Tells the sender that deliveries wait. */
  readonly onReplayed: () => void
}

export type HousekeepingSettings = {
  /** How long review texts and delivered payloads are kept. */
  readonly retentionMs: number
  /** From a replay: when its wait list would have ended. */
  readonly giveUpAfterMs: number
  readonly horizons: Horizons
}

export const REPLAY_LOOP = 'replay'
export const HOUSEKEEPING_LOOP = 'housekeeping'

/** Rows in one commit, and the pause after it, so that sending never stalls behind it (a commit takes some 10 ms). */
const BATCH = 500
const PAUSE_MS = 50
/** What is swept is late by days, and waits for nobody; a hook that is removed wakes the sweep. */
const SWEEP_EVERY_MS = 60_000
const PRUNE_EVERY_MS = 600_000
/** Of the rows of a table retention takes no more than this in one pass, so that no mistake about the time takes all. */
export const PRUNE_SHARE_MAX = 0.1

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
  /** Of the pass of retention that is under way; a pass takes several commits. */
  let quotas: PruneQuotas | null = null
  return {
    name: HOUSEKEEPING_LOOP,
    idleMs: SWEEP_EVERY_MS,
    async pass(signal) {
      const now = clock.now()
      const ended = await storage.deliveries.sweepEnded(now, BATCH)
      const mayDelete = deps.mayDelete?.() ?? true
      const expired = mayDelete
        ? await storage.deliveries.sweepExpired(now, settings.giveUpAfterMs, BATCH)
        : 0
      if (ended.dead > 0) deps.meter.count('dead_letters_total', { reason: 'gone' }, ended.dead)
      if (expired > 0) deps.meter.count('dead_letters_total', { reason: 'expired' }, expired)
      const pruning = mayDelete && clock.monotonicMs() >= pruneAtMs
      const before = new Date(now.getTime() - settings.retentionMs)
      if (pruning) quotas ??= await storage.upkeep.pruneQuotas(PRUNE_SHARE_MAX)
      const pruned = pruning && quotas !== null ? await storage.upkeep.prune(before, BATCH, quotas) : 0
      if (pruned === 0) quotas = null
      if (pruning && pruned === 0) pruneAtMs = clock.monotonicMs() + PRUNE_EVERY_MS
      const repaired = await storage.time.repair(now, settings.horizons)
      if (repaired > 0) log.warn('clock.repaired', { rows: repaired })
      const swept = ended.dead + ended.dropped
      if (swept + expired + pruned > 0) log.info('deliveries.swept', { ...ended, expired, pruned })
      const more = swept >= BATCH || expired >= BATCH || pruned > 0
      if (more) await clock.sleep(PAUSE_MS, signal)
      return more ? 'worked' : 'idle'
    },
  }
}
