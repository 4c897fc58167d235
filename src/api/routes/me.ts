import type { AccountStorage } from '../../storage/port/accounts.ts'
import type { Operations } from '../operation.ts'

export function meOperation(deps: {
  readonly accounts: Pick<AccountStorage, 'get'>
}): Pick<Operations, 'me'> {
  return {
    async me({ accountId, tokenId, tokenName }) {
      const account = await deps.accounts.get(accountId)
      return {
        account_id: accountId,
        account_name: account?.name ?? '',
        token_id: tokenId,
        token_name: tokenName,
      }
    },
  }
}
