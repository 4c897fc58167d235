import { newSetupCode } from '../operations/accounts/setup-code.ts'
import type { MaintenanceStorage } from '../storage/port/maintenance.ts'

const SETUP_MARK = 'setup_code'

/** Stored, so that every node shows the same code at every start. */
export function setupCodeOf({
  maintenance,
}: {
  readonly maintenance: Pick<MaintenanceStorage, 'getOrCreate'>
}): Promise<string> {
  return maintenance.getOrCreate(SETUP_MARK, newSetupCode())
}
