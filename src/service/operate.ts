import { existsSync } from 'node:fs'
import { createStoredOperations, type StoredOperations } from '../operations/operations.ts'
import { expireAfterMsOf } from '../pipeline/send/after-attempt.ts'
import { BY_HAND } from '../pipeline/send/by-hand.ts'
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
): Promise<Storage> {
  return openStorage(config.databaseUrl, { log, clock, databaseNow, nodeVersion: VERSION })
}

/** Standard output holds the result of a command. */
export const commandLog: Log = {
  ...silentLog,
  error: (event, fields) => process.stderr.write(`${event}: ${fields?.error}\n`),
}

/**
 * Runs an operator's command on the configured storage, with or without a running service. Throws `StartupError` for an SQLite
 * file that does not exist: a command that creates one for a wrong setting would answer that there is nothing.
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

function requireDatabase({ databaseUrl }: Config): void {
  const [, file] = SQLITE_FILE.exec(databaseUrl) ?? []
  if (file === undefined || existsSync(file)) return
  throw new StartupError(
    `There is no database at ${file}: is RADAR_DATA_DIR right? "radar serve", "radar migrate" and "radar account create" create one.`,
  )
}

/** The same with the operations on that storage. A running service checks for work of other processes once a second. */
export function withOperations<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (operations: StoredOperations, storage: Storage) => Promise<T>,
): Promise<T> {
  return withStorage(environment, (storage, { delivery }) => {
    const { accounts, audit, deadLetters, deliveries, hooks } = storage
    const expireAfterMs = expireAfterMsOf(delivery.retryWaitsMs)
    const log = commandLog
    const sending = { clock: systemClock, expireAfterMs, lanesByHand: BY_HAND, wake: () => {} }
    return use(
      createStoredOperations({ accounts, audit, deadLetters, deliveries, hooks, log, ...sending }),
      storage,
    )
  })
}
