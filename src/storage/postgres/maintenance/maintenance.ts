import type { MaintenanceStorage } from '../../port/maintenance.ts'
import type { Database } from '../connect.ts'

/** What concerns the whole database. */
export function databaseStorage(
  db: Database,
): Pick<MaintenanceStorage, 'joinServices' | 'ping' | 'sizeBytes' | 'diskSpace' | 'backup'> {
  return {
    joinServices: async () => ({ sharesFile: false, releasedLeases: 0 }),

    ping: async () => {
      try {
        return (await db.get<{ one: number }>('select 1 as one'))?.one === 1
      } catch {
        return false
      }
    },

    sizeBytes: async () =>
      (await db.get<{ bytes: number }>('select pg_database_size(current_database()) as bytes'))?.bytes ?? 0,

    diskSpace: async () => null,

    backup: async () => {
      throw new Error(
        'Back up PostgreSQL with its own tools, such as pg_dump --format=custom, or with snapshots of its host.',
      )
    },
  }
}
