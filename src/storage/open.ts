import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { narrowToOwner } from '../runtime/private-file.ts'
import { StorageUnavailable } from './port/errors.ts'
import type { Storage } from './port.ts'
import { openSqlite } from './sqlite/open.ts'

type Options = {
  readonly log: Log
  readonly clock: Clock
  /** As in openPostgres and openSqlite. */
  readonly databaseNow?: (() => Date) | undefined
  /** The running version, for the sentence that refuses a newer schema. */
  readonly nodeVersion: string
}

const SQLITE = 'sqlite:'
const POSTGRES = /^postgres(ql)?:\/\//

/**
 * Opens `sqlite:<path>` or `postgres://…` and brings it to the newest schema. Throws `SchemaRefused` or
 * `StorageUnavailable` (port/errors.ts), and a plain error with a sentence when `url` is neither.
 */
export async function openStorage(
  url: string,
  { log, clock, databaseNow, nodeVersion }: Options,
): Promise<Storage> {
  if (url.startsWith(SQLITE) && url.length > SQLITE.length) {
    const file = url.slice(SQLITE.length)
    if (file !== ':memory:') keepPrivate(file, log)
    return openSqlite({ file, clock, databaseNow, serviceVersion: nodeVersion })
  }
  if (POSTGRES.test(url)) {
    // Loaded only when used: the embedded engine starts sooner and smaller without the driver.
    const { openPostgres } = await import('./postgres/open.ts')
    return openPostgres({ url, log, clock, databaseNow, serviceVersion: nodeVersion })
  }
  // Not the URL itself: it may hold a password.
  throw new Error(
    `The database URL must be sqlite:<path of a file> or postgres://<user>@<host>/<database>; it begins with ${JSON.stringify(url.slice(0, 9))}.`,
  )
}

/**
 * The database holds review texts, payloads and hashes of tokens: nobody but its owner reads it, nor its log. A file
 * made by an earlier version or copied there may be wider; it is narrowed before anything is written to it. Throws
 * `StorageUnavailable` when this user may not do that.
 */
function keepPrivate(file: string, log: Log): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      const before = narrowToOwner(each)
      if (before !== null) log.warn('storage.file_mode_narrowed', { file: each, before, now: '0600' })
    } catch (cause) {
      throw new StorageUnavailable(
        `The database file ${each} can be read by other users of this machine, and this user may not change that. Run "chmod 600 ${each}" as its owner, or start the service as its owner.`,
        { cause },
      )
    }
  }
}
