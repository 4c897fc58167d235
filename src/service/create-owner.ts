import { accountOperations, type CreatedAccount, type NewOwner } from '../operations/accounts/accounts.ts'
import { systemClock } from '../runtime/clock.ts'
import { setupCodeOf } from './setup-code.ts'
import { withUsers } from './with-users.ts'

/** Creates an account, with or without a running service. Throws `OperationError`. */
export function createOwner(
  environment: Readonly<Record<string, string | undefined>>,
  owner: NewOwner,
): Promise<CreatedAccount> {
  return withUsers(environment, ({ users, storage, config }) =>
    accountOperations({
      users,
      accounts: storage.accounts,
      people: storage.people,
      clock: systemClock,
      setupCode: () => setupCodeOf(storage),
      signup: config.signup,
    }).create(owner),
  )
}
