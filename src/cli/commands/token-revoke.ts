import { commandRecord } from '../../operations/audit.ts'
import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'

export const tokenRevoke: Command = {
  about: 'Revokes an API token immediately and permanently.',
  options: {},
  positionals: ['TOKEN-ID'],
  hint: '"radar token list" shows the ids.',
  async run({ environment, out }, { positionals: [id = ''] }) {
    await withOperations(environment, async ({ audit, tokens }) => {
      const token = (await tokens.list(null)).find((each) => each.id === id)
      await tokens.revoke(null, id)
      if (token === undefined) return
      const { accountId, name } = token
      const change = { accountId, action: 'token.revoked', target: id, detail: name } as const
      await audit.record(commandRecord('radar token revoke', change))
    })
    out(`${id} is revoked.\n`)
    return 0
  },
}
