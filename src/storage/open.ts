import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Storage } from './port.ts'
import { openSqlite } from './sqlite/open.ts'

type Options = {
  readonly log: Log
  readonly clock: Clock
  /** The running version, for the sentence that refuses a newer schema. */
  readonly nodeVersion: string
}

const SQLITE = 'sqlite:'
const POSTGRES = /^postgres(ql)?:\/\//

/**
 * Opens `sqlite:<path>` or `postgres://…` and brings it to the newest schema. Throws `SchemaRefused` or
 * `StorageUnavailable` (port/errors.ts), and a plain error with a sentence when `url` is neither.
 */
export async function openStorage(url: string, { log, clock, nodeVersion }: Options): Promise<Storage> {
  if (url.startsWith(SQLITE) && url.length > SQLITE.length) {
    return openSqlite({ file: url.slice(SQLITE.length), clock, serviceVersion: nodeVersion })
  }
  if (POSTGRES.test(url)) {
    // Loaded only when used: the embedded engine starts sooner and smaller without the driver.
    const { openPostgres } = await import('./postgres/open.ts')
    return openPostgres({ url, log, clock, serviceVersion: nodeVersion })
  }
  // Not the URL itself: it may hold a password.
  throw new Error(
    `The database URL must be sqlite:<path of a file> or postgres://<user>@<host>/<database>; it begins with ${JSON.stringify(url.slice(0, 9))}.`,
  )
}
