import { accountOperations, type CreatedAccount, type NewOwner } from '../operations/accounts/accounts.ts'
import { systemClock } from '../runtime/clock.ts'
import { silentLog } from '../runtime/log.ts'
import { createSealer } from '../runtime/seal.ts'
import { configOf } from './config/config.ts'
import { checkKey } from './key-check.ts'
import { openConfigured } from './operate.ts'
import { secretKeyOf } from './secret-key.ts'
import { setupCodeOf } from './setup-code.ts'
import { openSignIn } from './sign-in/open.ts'

/** Makes an account, beside a running service or without one. Throws `OperationError`. */
export async function createOwner(
  environment: Readonly<Record<string, string | undefined>>,
  owner: NewOwner,
): Promise<CreatedAccount> {
  const config = configOf(environment)
  const secretKey = secretKeyOf(config)
  await using storage = await openConfigured(config)
  await checkKey(storage.maintenance, createSealer(secretKey))
  // Only cookies and links depend on the addresses, and none are made here.
  const localUrl = `http://127.0.0.1:${config.port}`
  const urls = () => ({ publicUrl: config.publicUrl ?? localUrl, localUrl })
  await using signIn = openSignIn({ databaseUrl: config.databaseUrl, secretKey, urls, log: silentLog })
  const accounts = accountOperations({
    users: signIn.get,
    accounts: storage.accounts,
    people: storage.people,
    clock: systemClock,
    setupCode: () => setupCodeOf(storage),
    signup: config.signup,
  })
  return await accounts.create(owner)
}
