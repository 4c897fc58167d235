import { type Command, CommandFailed } from '../command.ts'
import { confirmed, YES_OPTION } from './confirmed.ts'

/** Between two looks whether the requests in flight have ended, which keep their deliveries for a lease at most. */
const WAIT_MS = 1_000

export const accountDelete: Command = {
  about:
    'Deletes an account with its users, hooks, events and everything else that belongs to it. Reviews and ratings of the public stores stay. Killed, it continues when the service runs or the command is repeated.',
  options: {
    account: { value: 'ID', required: true, help: 'Id of the account, see "radar account list".' },
    yes: YES_OPTION,
  },
  async run(io, args) {
    const [{ accountDeletionOperations }, { withUsers }, { systemClock }] = await Promise.all([
      import('../../operations/accounts/account-deletion.ts'),
      import('../../service/with-users.ts'),
      import('../../runtime/clock.ts'),
    ])
    const accountId = args.option('account') ?? ''
    return withUsers(io.environment, async ({ users, storage }) => {
      const { accounts, people } = storage
      const account = await accounts.get(accountId)
      if (account === null) throw new CommandFailed('There is no account with this id.')
      const question = `Delete the account ${JSON.stringify(account.name)} with everything that belongs to it? This cannot be undone.`
      if (!(await confirmed(io, args, question))) return 1
      const deletion = accountDeletionOperations({ users, accounts, people, clock: systemClock })
      await deletion.begin(accountId)
      for (;;) {
        const step = await deletion.step(accountId)
        if (step === 'ended') break
        if (step === 'waiting') await systemClock.sleep(WAIT_MS)
      }
      io.err('The account is deleted.\n')
      return 0
    })
  },
}
