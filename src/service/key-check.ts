import { type Sealer, UnsealFailed } from '../runtime/seal.ts'
import type { MaintenanceStorage } from '../storage/port/maintenance.ts'
import { StartupError } from './startup-error.ts'

const MARK = 'secret_key_check'
const TEXT = 'Review Radar'

/**
 * Checks at start, rather than at the first delivery, that the key is the one of this database's secrets: the first
 * start seals a known text into the database, and every later one opens it. Throws `StartupError`.
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
      `The key does not fit this database: ${cause.message} Set RADAR_SECRET_KEY to the key that was in use (or put back secret.key in the data dir); without it every hook must be created again.`,
      { cause },
    )
  }
}
