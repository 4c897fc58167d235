import type { Log } from '../runtime/log.ts'
import type { UpkeepStorage } from '../storage/port/upkeep.ts'

/** Takes over what a service that was killed on the same SQLite file had leased. */
export async function joinServices(upkeep: Pick<UpkeepStorage, 'joinServices'>, log: Log): Promise<void> {
  const { sharesFile, releasedLeases } = await upkeep.joinServices()
  if (sharesFile) log.warn('service.database_shared')
  if (releasedLeases > 0) log.info('leases.released', { leases: releasedLeases })
}
