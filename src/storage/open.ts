import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { narrowToOwner } from '../runtime/private-file.ts'
import { StorageUnavailable } from './port/errors.ts'
import type { Storage } from './port/storage.ts'

type Options = {
  readonly log: Log
  readonly clock: Clock
  /** As in openPostgres and openSqlite. */
  readonly databaseNow?: (() => Date) | undefined
  /** The running version, for the error about a newer schema. */
  readonly nodeVersion: string
  /** As in openSqlite. */
  readonly durable?: boolean | undefined
}

const SQLITE = 'sqlite:'
const POSTGRES = /^postgres(ql)?:\/\//

/**
 * Opens `sqlite:<path>` or `postgres://…` and migrates it. Throws `SchemaError` or
 * `StorageUnavailable` (port/errors.ts), and a plain error with a sentence when `url` is neither.
 */
export async function openStorage(
  url: string,
  { log, clock, databaseNow, nodeVersion, durable }: Options,
): Promise<Storage> {
  // Each engine is loaded only when used: the other starts faster and uses less memory without it.
  if (url.startsWith(SQLITE) && url.length > SQLITE.length) {
    const { openSqlite } = await import('./sqlite/open.ts')
    const file = url.slice(SQLITE.length)
    if (file !== ':memory:') keepPrivate(file, log)
    return openSqlite({ file, clock, databaseNow, serviceVersion: nodeVersion, durable })
  }
  if (POSTGRES.test(url)) {
    const { openPostgres } = await import('./postgres/open.ts')
    return openPostgres({ url, log, clock, databaseNow, serviceVersion: nodeVersion })
  }
  // Without the URL, since it may contain a password.
  throw new Error(
    `The database URL must be sqlite:<path of a file> or postgres://<user>@<host>/<database>; it begins with ${JSON.stringify(url.slice(0, 9))}.`,
  )
}

/**
 * The database contains review texts, payloads and hashes of tokens, so only its owner may read it and its log.
 * Restricts the mode of an existing file before the first write. Throws `StorageUnavailable` when this user may not do
 * that.
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
