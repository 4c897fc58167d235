import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { SILENT_MS } from '../node/heartbeat.ts'
import { systemClock } from '../runtime/clock.ts'
import { silentLog } from '../runtime/log.ts'
import { type MovedTable, type MoveProgress, moveDatabase } from '../storage/move/move-database.ts'
import { MoveError } from '../storage/move/move-error.ts'
import { openStorage } from '../storage/open.ts'
import type { Config } from './config/config.ts'
import { keyFileOf } from './secret-key.ts'
import { openSignIn } from './sign-in/open.ts'
import { VERSION } from './version.ts'

export type { MovedTable, MoveProgress }

const SQLITE = 'sqlite:'

/**
 * Moves the configured SQLite database, with the users of its console, to an empty PostgreSQL. The SQLite database does not change. Throws
 * the errors of `isOperatorError`.
 */
export async function moveToPostgres(
  config: Config,
  url: string,
  onProgress: (progress: MoveProgress) => void,
): Promise<MovedTable[]> {
  if (!config.databaseUrl.startsWith(SQLITE)) {
    throw new MoveError(
      'The configured database is already PostgreSQL; only a SQLite database can be moved. Between PostgreSQL servers use pg_dump and pg_restore.',
    )
  }
  return await moveDatabase({
    file: config.databaseUrl.slice(SQLITE.length),
    url,
    clock: systemClock,
    log: silentLog,
    serviceVersion: VERSION,
    silentMs: SILENT_MS,
    prepare: () => prepare(url),
    onProgress,
  })
}

/** Creates the schema and the sign-in tables, which belong to the library. */
async function prepare(url: string): Promise<void> {
  const options = { log: silentLog, clock: systemClock }
  await using _ = await openStorage(url, { ...options, nodeVersion: VERSION })
  const nowhere = 'http://127.0.0.1'
  await using signIn = openSignIn({
    databaseUrl: url,
    // Creating the tables needs no real key, because nobody signs in.
    secretKey: randomBytes(32),
    urls: () => ({ publicUrl: nowhere, localUrl: nowhere }),
    log: silentLog,
  })
  await signIn.get()
}

/** The settings for a service on the new database, as lines of `NAME=value`. */
export function settingsAfterMove(config: Config, url: string): string[] {
  const shown = new URL(url)
  if (shown.password !== '') shown.password = '****'
  const key =
    config.secretKey === null
      ? `RADAR_SECRET_KEY_FILE=${resolve(keyFileOf(config))}`
      : 'RADAR_SECRET_KEY=(the current one)'
  return [`RADAR_DATABASE_URL=${shown.href}`, key]
}
