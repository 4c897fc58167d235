import type { UserStore } from '../operations/accounts/users.ts'
import { type AuditOperations, auditOperations } from '../operations/audit.ts'
import { systemClock } from '../runtime/clock.ts'
import { silentLog } from '../runtime/log.ts'
import { createSealer } from '../runtime/seal.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Config, configOf } from './config/config.ts'
import { checkKey } from './key-check.ts'
import { commandLog, openConfigured } from './operate.ts'
import { secretKeyOf } from './secret-key.ts'
import { openSignIn } from './sign-in/open.ts'

export type OpenedUsers = {
  readonly users: () => Promise<UserStore>
  readonly storage: Storage
  readonly audit: AuditOperations
  readonly config: Config
  /** The URL of the console for browsers. */
  readonly publicUrl: string
}

/** Runs a command on the configured users and storage, with or without a running service. */
export async function withUsers<T>(
  environment: Readonly<Record<string, string | undefined>>,
  run: (opened: OpenedUsers) => Promise<T>,
): Promise<T> {
  const config = configOf(environment)
  const secretKey = secretKeyOf(config)
  await using storage = await openConfigured(config)
  await checkKey(storage.maintenance, createSealer(secretKey))
  const localUrl = `http://127.0.0.1:${config.port}`
  const publicUrl = config.publicUrl ?? localUrl
  const urls = () => ({ publicUrl, localUrl })
  await using signIn = openSignIn({ databaseUrl: config.databaseUrl, secretKey, urls, log: silentLog })
  const audit = auditOperations({ ...storage, clock: systemClock, log: commandLog })
  return await run({ users: signIn.get, storage, audit, config, publicUrl })
}
