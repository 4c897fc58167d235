import type { Log } from '../runtime/log.ts'
import type { MaintenanceStorage } from '../storage/port/maintenance.ts'

/** Releases the leases of a service that was killed on the same SQLite file. */
export async function joinServices(
  maintenance: Pick<MaintenanceStorage, 'joinServices'>,
  log: Log,
): Promise<void> {
  const { sharesFile, releasedLeases } = await maintenance.joinServices()
  if (sharesFile) log.warn('service.database_shared')
  if (releasedLeases > 0) log.info('leases.released', { leases: releasedLeases })
}
