import { existsSync } from 'node:fs'
import { createStoredOperations, type StoredOperations } from '../operations/operations.ts'
import { expireAfterMsOf } from '../pipeline/send/after-attempt.ts'
import { MANUAL_LANE_CHANGES } from '../pipeline/send/manual-lane-changes.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { type Log, silentLog } from '../runtime/log.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Config, configOf } from './config/config.ts'
import { StartupError } from './startup-error.ts'
import { VERSION } from './version.ts'

/** Opens the configured storage and migrates it to the newest schema. Throws the errors of `isOperatorError`. */
export function openConfigured(
  config: Config,
  log: Log = silentLog,
  clock: Clock = systemClock,
  databaseNow?: () => Date,
  durable?: boolean,
): Promise<Storage> {
  return openStorage(config.databaseUrl, { log, clock, databaseNow, nodeVersion: VERSION, durable })
}

/** Logs errors to standard error, because standard output has the result of the command. */
export const commandLog: Log = {
  ...silentLog,
  error: (event, fields) => process.stderr.write(`${event}: ${fields?.error}\n`),
}

/**
 * Runs an operator's command on the configured storage, with or without a running service. Throws `StartupError` for a SQLite file that
 * does not exist: with a wrong setting, a command would otherwise create an empty database and report no data.
 */
export async function withStorage<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (storage: Storage, config: Config) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> {
  const config = configOf(environment)
  if (!mayCreate) requireDatabase(config)
  await using storage = await openConfigured(config)
  return await use(storage, config)
}

const SQLITE_FILE = /^sqlite:(?!:memory:)(.+)$/

/** Null for PostgreSQL, and for a database in memory. */
export function sqliteFileOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): string | null {
  return SQLITE_FILE.exec(databaseUrl)?.[1] ?? null
}

function requireDatabase(config: Config): void {
  const file = sqliteFileOf(config)
  if (file === null || existsSync(file)) return
  throw new StartupError(
    `There is no database at ${file}. Check RADAR_DATA_DIR. "radar serve", "radar migrate" and "radar account create" create one.`,
  )
}

/** Like `withStorage`, with the operations on that storage. A running service checks once per second for work from other processes. */
export function withOperations<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (operations: StoredOperations, storage: Storage) => Promise<T>,
): Promise<T> {
  return withStorage(environment, (storage, { delivery }) => {
    const { accounts, audit, deadLetters, deliveries, hooks, people } = storage
    const expireAfterMs = expireAfterMsOf(delivery.retryWaitsMs)
    const log = commandLog
    const sending = {
      clock: systemClock,
      expireAfterMs,
      manualLaneChanges: MANUAL_LANE_CHANGES,
      wake: () => {},
    }
    return use(
      createStoredOperations({ accounts, audit, deadLetters, deliveries, hooks, people, log, ...sending }),
      storage,
    )
  })
}
