import { readFileSync } from 'node:fs'
import { NAME_CHARS_MAX, PASSWORD_CHARS } from '../../model/input-limits.ts'
import { type Command, CommandFailed } from '../command.ts'

export const accountCreate: Command = {
  about:
    'Creates an account with its owner and prints its id. The owner signs in to the console with the e-mail address and the password. The first owner of an installation is its operator.',
  options: {
    email: { value: 'ADDRESS', required: true, help: 'E-mail address with which the owner signs in.' },
    'password-file': {
      value: 'FILE',
      required: true,
      help: `File with the password: ${PASSWORD_CHARS.min} to ${PASSWORD_CHARS.max} characters.`,
    },
    name: { value: 'NAME', help: 'Name of the account; the address by default.' },
  },
  async run({ environment, out }, args) {
    const [{ checkEmail }, { createOwner }] = await Promise.all([
      import('../../operations/accounts/new-user.ts'),
      import('../../service/create-owner.ts'),
    ])
    const email = args.option('email') ?? ''
    checkEmail(email)
    const name = args.option('name') ?? email.slice(0, NAME_CHARS_MAX)
    const password = passwordIn(args.option('password-file') ?? '')
    const { accountId } = await createOwner(environment, { email, password, name })
    out(`${accountId}\n`)
    return 0
  },
}

/** The content of the file, without the line break that editors put at its end. */
function passwordIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    throw new CommandFailed(`The password file ${path} cannot be read; name a file that you may read.`)
  }
}
