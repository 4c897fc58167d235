import type { PeopleStorage } from '../../storage/port/people.ts'
import { OperationError } from '../error.ts'
import { checkEmail } from './new-user.ts'
import type { SecondFactor, User, UserStore } from './users.ts'

export type SecondFactorDeps = {
  readonly users: () => Promise<UserStore>
  readonly people: Pick<PeopleStorage, 'memberships' | 'requireSecondFactor'>
}

/** Second factors of users, and the rule of an account that its members need one. */
export function secondFactorOperations({ users, people }: SecondFactorDeps) {
  return {
    /** `isRequired`: by one of the user's accounts. */
    async of(userId: string): Promise<
      SecondFactor & {
        readonly isRequired: boolean
        readonly hasPassword: boolean
        readonly hasIdentity: boolean
      }
    > {
      const store = await users()
      const [secondFactor, hasPassword, hasIdentity, memberships] = await Promise.all([
        store.secondFactor(userId),
        store.hasPassword(userId),
        store.hasIdentity(userId),
        people.memberships(userId),
      ])
      return {
        ...secondFactor,
        hasPassword,
        hasIdentity,
        isRequired: memberships.some((each) => each.requiresSecondFactor),
      }
    },

    forgetTrustedBrowsers: async (userId: string): Promise<void> =>
      (await users()).forgetTrustedBrowsers(userId),

    /**
     * Sets whether members need a second factor. While they do, a member without one can only turn it on. Throws `conflict` for an owner
     * without one, who would be the first to be locked out.
     */
    async require(accountId: string, ownerId: string, required: boolean): Promise<void> {
      const store = await users()
      const isProtected = async () =>
        (await store.secondFactor(ownerId)).isOn || !(await store.hasPassword(ownerId))
      if (required && !(await isProtected())) {
        throw new OperationError('conflict', 'Turn on your own second factor first.')
      }
      await people.requireSecondFactor(accountId, required)
    },
  }
}

/**
 * For the operator, when a user has lost phone and backup codes: the user signs in with the password alone, in all browsers anew. Throws
 * `invalid` for the address, `not_found` when no user has it, and `conflict` when the user has no second factor.
 */
export async function resetSecondFactor(
  { users }: Pick<SecondFactorDeps, 'users'>,
  email: string,
): Promise<User> {
  checkEmail(email)
  const store = await users()
  const user = await store.userByEmail(email)
  if (user === null)
    throw new OperationError('not_found', `There is no user with the e-mail address ${email}.`)
  if (await store.removeSecondFactor(user.id)) return user
  throw new OperationError('conflict', `${user.email} has no second factor.`)
}
