import { TOKEN_DAYS } from '../../model/input-limits.ts'
import { DEFAULT_TOKEN_SCOPES, TOKEN_SCOPES, type TokenScope } from '../../model/vocabulary.ts'
import { commandRecord } from '../../operations/audit.ts'
import { withOperations } from '../../service/operate.ts'
import { type Command, numberOption, UsageError } from '../command.ts'

export const tokenCreate: Command = {
  about: 'Creates an API token for an account and prints it once. Only its hash is stored.',
  options: {
    account: { value: 'ID', required: true, help: 'The account that the token gives access to.' },
    name: { value: 'NAME', help: 'Purpose of the token.' },
    scopes: {
      value: 'LIST',
      help: `Scopes of the token: some of ${TOKEN_SCOPES.join(',')}; ${DEFAULT_TOKEN_SCOPES.join(',')} by default.`,
    },
    'expires-in-days': { value: 'N', help: 'Days until it expires; never by default.' },
  },
  hint: '"radar account create" creates one and prints its id.',
  async run({ environment, out }, args) {
    const name = args.option('name') ?? 'from the command line'
    const scopes = scopesOf(args.option('scopes'))
    const expiresInDays = numberOption(args, 'expires-in-days', TOKEN_DAYS.min, TOKEN_DAYS.max)
    const { value } = await withOperations(environment, async ({ audit, tokens }) => {
      const made = await tokens.create(args.option('account') ?? '', { name, scopes, expiresInDays })
      const { accountId, id: target } = made.token
      const detail = `${made.token.name}: ${made.token.scopes.join(', ')}`
      const change = { accountId, action: 'token.created', target, detail } as const
      await audit.record(commandRecord('radar token create', change))
      return made
    })
    out(`${value}\n`)
    return 0
  },
}

/** Undefined when it was not given. Throws `UsageError`. */
function scopesOf(text: string | undefined): TokenScope[] | undefined {
  return text?.split(',').map((word) => {
    const scope = TOKEN_SCOPES.find((each) => each === word.trim())
    if (scope !== undefined) return scope
    throw new UsageError(`--scopes must be some of ${TOKEN_SCOPES.join(',')}, not "${text}".`)
  })
}
