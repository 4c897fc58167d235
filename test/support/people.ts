import { type Client, createClient } from '../../src/client/client.ts'
import { newId } from '../../src/model/ids.ts'
import { TOKEN_SCOPES } from '../../src/model/vocabulary.ts'
import { tokenOperations } from '../../src/operations/tokens.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import type { Service } from '../../src/service/service.ts'
import type { Storage } from '../../src/storage/port/storage.ts'

/** A user with an account and a token. */
export type Person = { readonly accountId: string; readonly token: string; readonly client: Client }

/** Creates an account with a token. */
export async function person(
  { storage, url }: Pick<Service, 'storage' | 'url'>,
  name: string,
): Promise<Person> {
  const accountId = await createAccount(storage, name)
  const token = await createToken(storage, accountId, `${name}'s token`)
  return { accountId, token, client: createClient({ baseUrl: url, token }) }
}

type Accounts = Pick<Storage, 'accounts'>

/** Creates an account without an owner and returns its ID. */
export async function createAccount(
  { accounts }: Accounts,
  name: string,
  clock: Clock = systemClock,
): Promise<string> {
  const id = newId('acc')
  await accounts.create({ id, name, createdAt: clock.now() })
  return id
}

/** Creates an API token and returns its value. */
export async function createToken(
  { accounts }: Accounts,
  accountId: string,
  name: string,
  clock: Clock = systemClock,
): Promise<string> {
  const { value } = await tokenOperations({ accounts, clock }).create(accountId, {
    name,
    scopes: TOKEN_SCOPES,
  })
  return value
}
