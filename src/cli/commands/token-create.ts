import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'

export const tokenCreate: Command = {
  about: 'Creates an API token for an account and prints it once: only its hash is stored.',
  options: {
    account: { value: 'ID', required: true, help: 'The account that the token gives access to.' },
    name: { value: 'NAME', help: 'What the token is for.' },
  },
  hint: '"radar account create" makes one and prints its id.',
  async run({ environment, out }, args) {
    const name = args.option('name') ?? 'from the command line'
    const { value } = await withOperations(environment, ({ tokens }) =>
      tokens.create(args.option('account') ?? '', name),
    )
    out(`${value}\n`)
    return 0
  },
}
