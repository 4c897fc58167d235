import { withStorage } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { harmless, shownAt, table } from '../table.ts'

export const tokenList: Command = {
  about: 'Lists API tokens, newest first. Their values are kept nowhere.',
  options: { account: { value: 'ID', help: 'Only those of this account.' } },
  async run({ environment, out }, args) {
    const tokens = await withStorage(environment, (storage) =>
      storage.accounts.listTokens(args.option('account') ?? null),
    )
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
