import { readFileSync } from 'node:fs'
import { type Command, CommandFailed, UsageError } from '../command.ts'

/** The same as in the console. */
const PASSWORD_CHARS = { min: 10, max: 128 }

export const accountCreate: Command = {
  about:
    'Makes an account and prints its id. Its owner signs in to the console by the address and the password; the first one of all is the operator.',
  options: {
    email: { value: 'ADDRESS', required: true, help: 'By which its owner signs in.' },
    'password-file': {
      value: 'FILE',
      required: true,
      help: `Holds the password: ${PASSWORD_CHARS.min} to ${PASSWORD_CHARS.max} characters.`,
    },
    name: { value: 'NAME', help: 'Name of the account; the address without it.' },
  },
  async run({ environment, out }, args) {
    const email = args.option('email') ?? ''
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
      throw new UsageError(`--email must be an e-mail address, not "${email}".`)
    }
    const name = args.option('name') ?? email
    const password = passwordIn(args.option('password-file') ?? '')
    const { createOwner } = await import('../../service/create-owner.ts')
    const id = await createOwner(environment, { email, password, name }, name)
    if (id === null) {
      throw new CommandFailed(`Somebody signs in by ${email} already; name another address.`)
    }
    out(`${id}\n`)
    return 0
  },
}

/** What the file holds, without the line break that editors put at its end. */
function passwordIn(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new CommandFailed(`The password file ${path} cannot be read; name a file that you may read.`)
  }
  const password = text.replace(/\r?\n$/, '')
  const chars = password.length
  if (chars >= PASSWORD_CHARS.min && chars <= PASSWORD_CHARS.max) return password
  throw new CommandFailed(
    `The password in ${path} has ${chars} characters; it must have ${PASSWORD_CHARS.min} to ${PASSWORD_CHARS.max}.`,
  )
}
