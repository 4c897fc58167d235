import type { withStorage } from '../service/operate.ts'
import { CommandFailed } from './command.ts'

type Storage = Parameters<Parameters<typeof withStorage>[1]>[0]

/** Throws `CommandFailed` for an account that is not there: a misspelt one must not look like one without anything. */
export async function requireAccount(
  storage: Pick<Storage, 'accounts'>,
  accountId: string | null,
): Promise<void> {
  if (accountId === null || (await storage.accounts.get(accountId)) !== null) return
  throw new CommandFailed(
    `There is no account ${accountId}. "radar hooks list" and "radar token list" show the accounts that have hooks or tokens.`,
  )
}
