import type { HookWithWatches } from '../../model/hook.ts'
import type { AccountStorage } from '../../storage/port/accounts.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { requireAccount } from '../accounts/require-account.ts'

export type HookListDeps = {
  readonly accounts: Pick<AccountStorage, 'get'>
  readonly hooks: Pick<HookStorage, 'list' | 'listAll'>
}

export function hookListOperations({ accounts, hooks }: HookListDeps) {
  return {
    /**
     * Hooks, oldest first. `accountId` null means all accounts, which only the operator's commands may use. Throws `not_found` for an
     * account that does not exist.
     */
    async list(accountId: string | null): Promise<HookWithWatches[]> {
      if (accountId === null) return hooks.listAll()
      await requireAccount(accounts, accountId)
      return hooks.list(accountId)
    },
  }
}
