import { newId } from '../../model/ids.ts'
import { networkOf } from '../../runtime/network.ts'
import type { Account, AccountStorage } from '../../storage/port/accounts.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { type AttemptLimitDeps, createAttemptLimit } from '../attempt-limit.ts'
import { OperationError } from '../error.ts'
import { nameOf } from './names.ts'
import { checkNewUser, createUserWithoutAccount } from './new-user.ts'
import { requireAccount } from './require-account.ts'
import { isSetupCode } from './setup-code.ts'
import type { NewUser, User, UserStore } from './users.ts'

export type AccountDeps = AttemptLimitDeps & {
  readonly users: () => Promise<UserStore>
  readonly accounts: Pick<AccountStorage, 'get' | 'isActive'>
  readonly people: Pick<PeopleStorage, 'anyMember' | 'createAccount' | 'memberships' | 'removeMemberships'>
  /** The setup code, which the log shows until the setup is done. */
  readonly setupCode: () => Promise<string>
  readonly signup: 'closed' | 'open'
}

/** The owner of a new account. The account's name is `accountName`, by default the owner's name. */
export type NewOwner = NewUser & { readonly accountName?: string | undefined }
export type CreatedAccount = { readonly accountId: string; readonly owner: User }

export type AccountOperations = ReturnType<typeof accountOperations>

/**
 * Accounts. Operations that create one throw `invalid` for a wrong name, address or password of the owner, and `conflict` for the address
 * of an existing user.
 */
export function accountOperations(deps: AccountDeps) {
  const { people, clock } = deps
  const setups = createAttemptLimit(deps, 'setup')
  const signUps = createAttemptLimit(deps, 'sign_up')

  /** Creates the user first. After a crash in between, a user without an account has no access and is replaced later. */
  const createWithOwner = async (
    newOwner: NewOwner,
    options: { readonly operator: boolean; readonly onlyFirst: boolean },
  ): Promise<CreatedAccount> => {
    const user = checkNewUser(newOwner)
    const name = nameOf(newOwner.accountName || user.name, 'accountName')
    const users = await deps.users()
    const owner = await createUserWithoutAccount({ users, people }, user)
    const account = { id: newId('acc'), name, createdAt: clock.now() }
    let isStored = false
    try {
      const member = { userId: owner.id, operator: options.operator }
      isStored = await people.createAccount(account, member, options)
    } finally {
      if (!isStored) await users.removeUser(owner.id)
    }
    if (!isStored) throw setupDone()
    return { accountId: account.id, owner }
  }

  return {
    /** Throws `not_found`. */
    get: (accountId: string): Promise<Account> => requireAccount(deps.accounts, accountId),

    /** False once the deletion of the account has begun. */
    isActive: (accountId: string): Promise<boolean> => deps.accounts.isActive(accountId),

    /** Whether there is an account with a user. The console shows its setup page until then. */
    exist: (): Promise<boolean> => people.anyMember(),

    /** For the operator's commands. The owner of the first account becomes the operator of the installation. */
    create: async (owner: NewOwner): Promise<CreatedAccount> =>
      createWithOwner(owner, { operator: !(await people.anyMember()), onlyFirst: false }),

    /**
     * Creates the first account. Its owner becomes the operator. Throws `forbidden` for a wrong code, `conflict` when an account exists,
     * and `rate_limited` after repeated wrong codes from one address.
     */
    async setUp(owner: NewOwner, code: string, clientAddress: string): Promise<CreatedAccount> {
      if (await people.anyMember()) throw setupDone()
      await setups.attempt(networkOf(clientAddress))
      if (!isSetupCode(code, await deps.setupCode())) {
        throw new OperationError('forbidden', 'does not match the code in the log of the service.', {
          field: 'code',
        })
      }
      const created = await createWithOwner(owner, { operator: true, onlyFirst: true })
      await setups.succeeded(networkOf(clientAddress))
      return created
    },

    /**
     * Creates an account for a new user. Throws `forbidden` unless the operator allows sign-up, `conflict` before the setup, and
     * `rate_limited` after many accounts from one address.
     */
    async signUp(owner: NewOwner, clientAddress: string): Promise<CreatedAccount> {
      if (deps.signup === 'closed') {
        throw new OperationError('forbidden', 'New accounts require an invitation.')
      }
      if (!(await people.anyMember())) {
        throw new OperationError(
          'conflict',
          'The service is not set up yet: its operator must create the first account.',
        )
      }
      await signUps.attempt(networkOf(clientAddress))
      return createWithOwner(owner, { operator: false, onlyFirst: false })
    },
  }
}

function setupDone(): OperationError {
  return new OperationError('conflict', 'The setup is already done. Sign in.')
}
