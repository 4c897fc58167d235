import type { Meter } from '../../model/metrics.ts'
import type { Clock } from '../../runtime/clock.ts'
import { later } from '../../runtime/instant.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { PruneQuotas } from '../../storage/port/maintenance.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { Horizons } from '../../storage/port/time.ts'

export type HousekeepingDeps = {
  readonly storage: Pick<Storage, 'deliveries' | 'maintenance' | 'time'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Whether the time is confirmed, so that data may be deleted or expire. Absent: always. */
  readonly mayDelete?: (() => boolean) | undefined
}

export type HousekeepingSettings = {
  /** How long review texts and delivered payloads are stored. */
  readonly retentionMs: number
  /** How long after its creation or replay a delivery expires. */
  readonly expireAfterMs: number
  readonly horizons: Horizons
}

export const HOUSEKEEPING_LOOP = 'housekeeping'

/** Rows in one commit, and the pause after it, so that sending never stalls behind it. A commit takes about 10 ms. */
const BATCH = 500
const PAUSE_MS = 50
/** Expired deliveries are not urgent. Removing a hook wakes the loop. */
const SWEEP_EVERY_MS = 60_000
const PRUNE_EVERY_MS = 600_000
/** The largest share of a table that one pass of retention deletes, so that a wrong clock cannot delete all of it. */
export const PRUNE_SHARE_MAX = 0.1

/** Turns deliveries that can no longer be sent into dead letters, and deletes data after its retention. */
export function housekeepingLoop(deps: HousekeepingDeps, settings: HousekeepingSettings): Loop {
  const { storage, clock, log } = deps
  let pruneAtMs = Number.NEGATIVE_INFINITY
  /** The quotas of the current retention pass, which takes several commits. */
  let quotas: PruneQuotas | null = null
  return {
    name: HOUSEKEEPING_LOOP,
    idleMs: SWEEP_EVERY_MS,
    async pass(signal) {
      const now = clock.now()
      const ended = await storage.deliveries.sweepEnded(now, BATCH)
      const mayDelete = deps.mayDelete?.() ?? true
      const expired = mayDelete
        ? await storage.deliveries.sweepExpired(now, settings.expireAfterMs, BATCH)
        : 0
      if (ended.dead > 0) deps.meter.count('dead_letters_total', { reason: 'gone' }, ended.dead)
      if (expired > 0) deps.meter.count('dead_letters_total', { reason: 'expired' }, expired)
      const pruning = mayDelete && clock.monotonicMs() >= pruneAtMs
      const before = later(now, -settings.retentionMs)
      if (pruning) quotas ??= await storage.maintenance.pruneQuotas(PRUNE_SHARE_MAX)
      const pruned = pruning && quotas !== null ? await storage.maintenance.prune(before, BATCH, quotas) : 0
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
