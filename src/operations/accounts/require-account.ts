import type { Account, AccountStorage } from '../../storage/port/accounts.ts'
import { OperationError } from '../error.ts'

/** Throws `not_found` for an account that does not exist. */
export async function requireAccount(
  accounts: Pick<AccountStorage, 'get'>,
  accountId: string,
): Promise<Account> {
  const account = await accounts.get(accountId)
  if (account !== null) return account
  throw new OperationError('not_found', `There is no account ${accountId}.`)
}
