import { createAccountWithOwner } from '../api/console/create-account.ts'
import type { NewUser } from '../api/console/sign-in.ts'
import { systemClock } from '../runtime/clock.ts'
import { silentLog } from '../runtime/log.ts'
import { createSealer } from '../runtime/seal.ts'
import { configOf } from './config/config.ts'
import { checkKey } from './key-check.ts'
import { openConfigured } from './operate.ts'
import { secretKeyOf } from './secret-key.ts'
import { openSignIn } from './sign-in/open.ts'

/**
 * Makes an account whose owner signs in to the console by this address and password; the account's id. The first owner
 * of an installation is its operator. Null when the address belongs to somebody already.
 */
export async function createOwner(
  environment: Readonly<Record<string, string | undefined>>,
  owner: NewUser,
  accountName: string,
): Promise<string | null> {
  const config = configOf(environment)
  const secretKey = secretKeyOf(config)
  await using storage = await openConfigured(config)
  await checkKey(storage.upkeep, createSealer(secretKey))
  // Only cookies and links depend on the addresses, and none are made here.
  const localUrl = `http://127.0.0.1:${config.port}`
  const urls = () => ({ publicUrl: config.publicUrl ?? localUrl, localUrl })
  await using signIn = openSignIn({ databaseUrl: config.databaseUrl, secretKey, urls, log: silentLog })
  const made = await createAccountWithOwner(
    { signIn: await signIn.get(), people: storage.people, clock: systemClock },
    owner,
    { accountName, operator: !(await storage.people.anyMember()), onlyFirst: false },
  )
  return made.ok ? made.accountId : null
}
