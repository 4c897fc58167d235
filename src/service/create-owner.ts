import { accountOperations, type CreatedAccount, type NewOwner } from '../operations/accounts/accounts.ts'
import { setupCodeOf } from '../operations/accounts/setup-code.ts'
import { commandRecord } from '../operations/audit.ts'
import { systemClock } from '../runtime/clock.ts'
import { withUsers } from './with-users.ts'

/** Creates an account, with or without a running service. Throws `OperationError`. */
export function createOwner(
  environment: Readonly<Record<string, string | undefined>>,
  owner: NewOwner,
): Promise<CreatedAccount> {
  return withUsers(environment, async ({ users, storage, audit, config }) => {
    const created = await accountOperations({
      users,
      accounts: storage.accounts,
      people: storage.people,
      attemptLimits: storage.attemptLimits,
      clock: systemClock,
      setupCode: () => setupCodeOf(storage.maintenance),
      signup: config.signup,
    }).create(owner)
    const { accountId } = created
    const change = { accountId, action: 'account.created', target: accountId, detail: null } as const
    await audit.record(commandRecord('radar account create', change))
    return created
  })
}
