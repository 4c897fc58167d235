import { createToken, withStorage } from '../../service/operate.ts'
import { type Command, CommandFailed } from '../command.ts'

export const tokenCreate: Command = {
  about: 'Makes an API token for an account and prints it, alone, this once: only its hash is kept.',
  options: {
    account: { value: 'ID', required: true, help: 'The account that its calls are limited to.' },
    name: { value: 'NAME', help: 'What it is for, to tell it from others.' },
  },
  async run({ environment, out }, args) {
    const account = args.option('account') ?? ''
    const value = await withStorage(environment, (storage) =>
      createToken(storage, account, args.option('name') ?? 'from the command line'),
    )
    if (value === null) {
      throw new CommandFailed(
        `There is no account ${account}. "radar account create" makes one and prints its id.`,
      )
    }
    out(`${value}\n`)
    return 0
  },
}
