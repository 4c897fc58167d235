import { withStorage } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { requireAccount } from '../require-account.ts'
import { harmless, shownAt, table } from '../table.ts'

export const tokenList: Command = {
  about: 'Lists API tokens, newest first. Their values are kept nowhere.',
  options: { account: { value: 'ID', help: 'Only those of this account.' } },
  async run({ environment, out, err }, args) {
    const accountId = args.option('account') ?? null
    const tokens = await withStorage(environment, async (storage) => {
      await requireAccount(storage, accountId)
      return storage.accounts.listTokens(accountId)
    })
    if (tokens.length === 0) err('No tokens: "radar token create --account ID" makes one.\n')
    out(
      table(
        ['token', 'account', 'name', 'created', 'last used'],
        tokens.map((token) => [
          token.id,
          token.accountId,
          harmless(token.name),
          shownAt(token.createdAt),
          shownAt(token.lastUsedAt),
        ]),
      ),
    )
    return 0
  },
}
