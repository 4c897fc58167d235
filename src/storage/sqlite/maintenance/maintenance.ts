import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StorageUnavailable } from '../../port/errors.ts'
import type { MaintenanceStorage } from '../../port/maintenance.ts'
import type { Connection } from '../connect.ts'
import { releaseLeases } from './release-leases.ts'
import type { ServiceLock } from './service-lock.ts'

/** A file locked by another process for longer than this counts as unavailable. Commands hold the lock for less. */
const LOCKED_MS_MAX = 5_000

/** What concerns the whole file. */
export function fileStorage(
  db: Connection,
  lock: ServiceLock,
): Pick<MaintenanceStorage, 'joinServices' | 'ping' | 'sizeBytes' | 'diskSpace' | 'backup'> {
  return {
    joinServices: async () => {
      let releasedLeases = 0
      const isAlone = await lock.join(async () => {
        releasedLeases = await releaseLeases(db)
      })
      // A restore holds the lock until it has replaced the file. What is written to the former one would be lost.
      if (db.isReplaced)
        throw new StorageUnavailable(
          `The file ${db.file} was replaced while the service started. Start it again.`,
        )
      return { sharesFile: !isAlone, releasedLeases }
    },

    ping: async () => {
      try {
        return db.queue.waitedMs < LOCKED_MS_MAX && db.get<{ one: number }>('select 1 as one')?.one === 1
      } catch {
        return false
      }
    },

    sizeBytes: async () =>
      db.get<{ bytes: number }>(
        'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
      )?.bytes ?? 0,

    async diskSpace() {
      if (db.file === ':memory:') return null
      const { bavail, blocks, bsize } = await statfs(dirname(db.file))
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    },

    backup: async (file) => db.copyTo(file),
  }
}
