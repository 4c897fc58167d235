import { type Client, createClient } from '../../src/client/client.ts'
import { createAccount, createToken } from '../../src/service/operate.ts'
import type { Service } from '../../src/service/service.ts'

/** Somebody with an account of their own and a token for it. */
export type Person = { readonly accountId: string; readonly token: string; readonly client: Client }

/** Makes an account and a token, as the commands do. Call it for Alice, Bob and Charlie. */
export async function person(service: Service, name: string): Promise<Person> {
  const accountId = await createAccount(service.storage, name)
  const token = await createToken(service.storage, accountId, `${name}'s token`)
  if (token === null) throw new Error('the account just made is not there')
  return { accountId, token, client: createClient({ baseUrl: service.url, token }) }
}
