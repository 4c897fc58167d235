import { type Sealer, UnsealFailed } from '../runtime/seal.ts'
import type { UpkeepStorage } from '../storage/port/upkeep.ts'
import { StartRefused } from './start-refused.ts'

const MARK = 'secret_key_check'
const TEXT = 'Review Radar'

/**
 * Says at start, rather than at the first delivery, that the key is not the one this database's secrets were sealed
 * with: the first start seals a known text into the database, and every later one opens it. Throws `StartRefused`.
 */
export async function checkKey(upkeep: Pick<UpkeepStorage, 'keepFirst'>, sealer: Sealer): Promise<void> {
  const sealed = await upkeep.keepFirst(MARK, sealer.seal(TEXT, MARK))
  try {
    sealer.open(sealed, MARK)
  } catch (cause) {
    if (!(cause instanceof UnsealFailed)) throw cause
    throw new StartRefused(
      `The key does not fit this database: ${cause.message} Set RADAR_SECRET_KEY to the key that was in use (or put back secret.key in the data dir); without it every hook has to be made anew.`,
      { cause },
    )
  }
}
