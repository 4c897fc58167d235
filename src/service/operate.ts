import { createStoredOperations, type StoredOperations } from '../operations/operations.ts'
import { expireAfterMsOf } from '../pipeline/send/after-attempt.ts'
import { BY_HAND } from '../pipeline/send/by-hand.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { type Log, silentLog } from '../runtime/log.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Config, configOf } from './config/config.ts'
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

/** Runs an operator's command on the configured storage, with or without a running service. */
export async function withStorage<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (storage: Storage, config: Config) => Promise<T>,
): Promise<T> {
  const config = configOf(environment)
  await using storage = await openConfigured(config)
  return await use(storage, config)
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
