import { newSetupCode } from '../operations/accounts/setup-code.ts'
import type { MaintenanceStorage } from '../storage/port/maintenance.ts'

const SETUP_MARK = 'setup_code'

/** The setup code, which is stored so that every node logs the same code at every start. */
export function setupCodeOf({
  maintenance,
}: {
  readonly maintenance: Pick<MaintenanceStorage, 'getOrCreate'>
}): Promise<string> {
  return maintenance.getOrCreate(SETUP_MARK, newSetupCode())
}
