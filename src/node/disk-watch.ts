import { type DiskLevel, type DiskSpace, diskLevelOf, diskSentence } from '../model/disk-space.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { DiskFull } from '../storage/port/errors.ts'
import type { MaintenanceStorage } from '../storage/port/maintenance.ts'

/** Polls fill 64 MiB more slowly than this. */
const CHECK_MS = 5_000
/** After a write failed for lack of space, work is tried again. A database server tells its free space only in this way. */
const HOLD_MS = 60_000

export type DiskState = {
  readonly level: DiskLevel
  /** Null for a database server, which does not tell it. */
  readonly space: DiskSpace | null
  /** A sentence while space is low or used up. */
  readonly problem: string | null
}

export type DiskWatch = {
  /** As of the last check or failed write. */
  readonly state: () => DiskState
  /** Reports an error of a write. */
  readonly failed: (error: unknown) => void
  /** Never rejects. */
  readonly check: () => Promise<void>
  /** Checks until `signal` aborts. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

/** Follows the free space of the database, so that work stops before commits fail, and resumes when there is space. */
export function createDiskWatch(deps: {
  readonly maintenance: Pick<MaintenanceStorage, 'diskSpace'>
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly log: Log
}): DiskWatch {
  const { maintenance, clock, log } = deps
  let space: DiskSpace | null = null
  let failedMs: number | null = null
  let logged: DiskLevel = 'ok'
  let isUnreadable = false
  const level = (): DiskLevel => {
    const isHeld = failedMs !== null && clock.monotonicMs() - failedMs < HOLD_MS
    return isHeld ? 'full' : space === null ? 'ok' : diskLevelOf(space)
  }
  const report = () => {
    const now = level()
    if (now === logged) return
    const fields = { free_bytes: space?.freeBytes ?? null, total_bytes: space?.totalBytes ?? null }
    if (now === 'ok') log.info('disk.recovered', fields)
    else if (now === 'low') log.warn('disk.low', fields)
    else log.error('disk.full', fields)
    logged = now
  }
  const watch: DiskWatch = {
    state: () => {
      const now = level()
      return { level: now, space, problem: diskSentence(now, space) }
    },
    failed(error) {
      if (!(error instanceof DiskFull)) return
      failedMs = clock.monotonicMs()
      report()
    },
    async check() {
      try {
        const before = space
        space = await maintenance.diskSpace()
        isUnreadable = false
        // Space was freed: there is no reason to wait. A quota, which free space does not show, ends by itself.
        const wasFull = before !== null && diskLevelOf(before) === 'full'
        if (wasFull && space !== null && diskLevelOf(space) !== 'full') failedMs = null
      } catch (error) {
        // What was read last is the best that is known.
        if (!isUnreadable) log.warn('disk.unreadable', { error })
        isUnreadable = true
      }
      report()
    },
    async run(signal) {
      while (!signal.aborted) {
        await watch.check()
        await clock.sleep(CHECK_MS, signal)
      }
    },
  }
  return watch
}
