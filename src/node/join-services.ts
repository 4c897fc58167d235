import type { Log } from '../runtime/log.ts'
import type { MaintenanceStorage } from '../storage/port/maintenance.ts'

/** Takes over what a service that was killed on the same SQLite file had leased. */
export async function joinServices(
  maintenance: Pick<MaintenanceStorage, 'joinServices'>,
  log: Log,
): Promise<void> {
  const { sharesFile, releasedLeases } = await maintenance.joinServices()
  if (sharesFile) log.warn('service.database_shared')
  if (releasedLeases > 0) log.info('leases.released', { leases: releasedLeases })
}
