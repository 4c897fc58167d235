import { withStorage } from '../../service/operate.ts'
import { type Command, CommandFailed } from '../command.ts'

export const tokenRevoke: Command = {
  about: 'Makes a token worthless at once. There is no way back; make a new one instead.',
  options: {},
  positionals: ['TOKEN-ID'],
  async run({ environment, out }, { positionals: [id = ''] }) {
    if (!(await withStorage(environment, (storage) => storage.accounts.revokeToken(null, id)))) {
      throw new CommandFailed(
        `There is no token ${id}. "radar token list" shows the ids (not the values) of all.`,
      )
    }
    out(`${id} is revoked.\n`)
    return 0
  },
}
