import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'

export const tokenRevoke: Command = {
  about: 'Revokes an API token at once, for good.',
  options: {},
  positionals: ['TOKEN-ID'],
  hint: '"radar token list" shows the ids.',
  async run({ environment, out }, { positionals: [id = ''] }) {
    await withOperations(environment, ({ tokens }) => tokens.revoke(null, id))
    out(`${id} is revoked.\n`)
    return 0
  },
}
