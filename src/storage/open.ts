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

/**
 * Opens `sqlite:<path>` or `postgres://…` and brings it to the newest schema. Throws `SchemaRefused` or
 * `StorageUnavailable` (port/errors.ts), and a plain error with a sentence when `url` is neither.
 */
export async function openStorage(url: string, options: Options): Promise<Storage> {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return openSqlite({
      file: url.slice('sqlite:'.length),
      clock: options.clock,
      serviceVersion: options.nodeVersion,
    })
  }
  throw new Error(
    `The database URL must be sqlite:<path of a file> or postgres://<user>@<host>/<database>; it begins with ${JSON.stringify(url.slice(0, 9))}.`,
  )
}
