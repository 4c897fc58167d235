import { type Sealer, UnsealFailed } from '../runtime/seal.ts'
import type { MaintenanceStorage } from '../storage/port/maintenance.ts'
import { StartupError } from './startup-error.ts'

const MARK = 'secret_key_check'
const TEXT = 'Review Radar'

/**
 * Checks that the key is the one of this database's secrets. The first start seals a known text into the database, and every later start
 * opens it, so that a wrong key does not show only at the first delivery. Throws `StartupError`.
 */
export async function checkKey(
  maintenance: Pick<MaintenanceStorage, 'getOrCreate'>,
  sealer: Sealer,
): Promise<void> {
  const sealed = await maintenance.getOrCreate(MARK, sealer.seal(TEXT, MARK))
  try {
    sealer.open(sealed, MARK)
  } catch (cause) {
    if (!(cause instanceof UnsealFailed)) throw cause
    throw new StartupError(
      `This is not the key of this database: ${cause.message} Set RADAR_SECRET_KEY to the previous key, or restore secret.key in the data folder. Without that key every hook must be created again.`,
      { cause },
    )
  }
}
