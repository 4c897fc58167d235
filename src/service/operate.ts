import { newTokenValue, tokenHash } from '../api/token.ts'
import { newId } from '../model/ids.ts'
import { giveUpAfterMsOf } from '../pipeline/send/after-attempt.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { type Log, silentLog } from '../runtime/log.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/port.ts'
import { type Config, configOf } from './config/config.ts'
import { VERSION } from './version.ts'

/** Opens the configured storage and brings it to the newest schema. Throws what `isRefusal` knows. */
export function openConfigured(
  config: Config,
  log: Log = silentLog,
  clock: Clock = systemClock,
  databaseNow?: () => Date,
): Promise<Storage> {
  return openStorage(config.databaseUrl, { log, clock, databaseNow, nodeVersion: VERSION })
}

/** Runs an operator's command on the storage that the environment names, beside a running service or without one. */
export async function withStorage<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (storage: Storage, config: Config) => Promise<T>,
): Promise<T> {
  const config = configOf(environment)
  await using storage = await openConfigured(config)
  return await use(storage, config)
}

type Accounts = Pick<Storage, 'accounts'>

/** Makes an account; its id. */
export async function createAccount(
  storage: Accounts,
  name: string,
  clock: Clock = systemClock,
): Promise<string> {
  const id = newId('acc')
  await storage.accounts.create({ id, name, createdAt: clock.now() })
  return id
}

/** Makes an API token and returns its value, which is kept nowhere; null when there is no such account. */
export async function createToken(
  storage: Accounts,
  accountId: string,
  name: string,
  clock: Clock = systemClock,
): Promise<string | null> {
  if ((await storage.accounts.get(accountId)) === null) return null
  const value = newTokenValue()
  await storage.accounts.createToken(
    { id: newId('tok'), accountId, name, createdAt: clock.now() },
    tokenHash(value),
  )
  return value
}

/** Puts dead letters back on the queue; how many were. */
export function replayDeadLetters(
  storage: Pick<Storage, 'dead'>,
  config: Config,
  accountId: string | null,
  eventIds: readonly string[],
  clock: Clock = systemClock,
): Promise<number> {
  const giveUpAfterMs = giveUpAfterMsOf(config.delivery.retryWaitsMs)
  return storage.dead.replay(accountId, eventIds, clock.now(), giveUpAfterMs)
}
