import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { JSON_OPTION, jsonLines, sanitize, shownAt, table } from '../table.ts'

export const accountList: Command = {
  about: 'Lists accounts, oldest first.',
  options: { json: JSON_OPTION },
  async run({ environment, out, err }, args) {
    const accounts = await withOperations(environment, (_operations, storage) => storage.accounts.list())
    if (accounts.length === 0) err('There are no accounts. Create one with "radar account create".\n')
    if (args.isOn('json')) {
      out(jsonLines(accounts.map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt }))))
      return 0
    }
    out(
      table(
        ['account', 'name', 'created'],
        accounts.map(({ id, name, createdAt }) => [id, sanitize(name), shownAt(createdAt)]),
      ),
    )
    return 0
  },
}
