import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { JSON_OPTION, jsonLines, sanitize, shownAt, table } from '../table.ts'

export const tokenList: Command = {
  about: 'Lists API tokens, newest first. Their values are not stored.',
  options: { account: { value: 'ID', help: 'Only tokens of this account.' }, json: JSON_OPTION },
  hint: '"radar token list" without --account shows the accounts that have tokens.',
  async run({ environment, out, err }, args) {
    const tokens = await withOperations(environment, (operations) =>
      operations.tokens.list(args.option('account') ?? null),
    )
    if (tokens.length === 0) err('There are no tokens. Create one with "radar token create --account ID".\n')
    if (args.isOn('json')) {
      out(
        jsonLines(
          tokens.map((token) => ({
            id: token.id,
            account_id: token.accountId,
            name: token.name,
            scopes: token.scopes,
            created_at: token.createdAt,
            expires_at: token.expiresAt,
            last_used_at: token.lastUsedAt,
            last_used_network: token.lastUsedNetwork,
          })),
        ),
      )
      return 0
    }
    out(
      table(
        ['token', 'account', 'name', 'scopes', 'created', 'expires', 'last used', 'from'],
        tokens.map((token) => [
          token.id,
          token.accountId,
          sanitize(token.name),
          token.scopes.join(','),
          shownAt(token.createdAt),
          shownAt(token.expiresAt),
          shownAt(token.lastUsedAt),
          token.lastUsedNetwork ?? '',
        ]),
      ),
    )
    return 0
  },
}
