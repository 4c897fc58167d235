import { newId } from '../../model/ids.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import type { NewUser, SignIn, User } from './sign-in.ts'

export type CreateAccountDeps = {
  readonly signIn: SignIn
  readonly people: Pick<PeopleStorage, 'createAccount' | 'memberOf'>
  readonly clock: Clock
}

export type AccountMade =
  | { readonly ok: true; readonly accountId: string; readonly user: User }
  /** `taken`: the address belongs to a user. `not_first`: only the first was wanted, and there is one. */
  | { readonly ok: false; readonly why: 'taken' | 'not_first' }

/** An account with its owner. The user is made first: one without an account can do nothing and is replaced here. */
export async function createAccountWithOwner(
  deps: CreateAccountDeps,
  owner: NewUser,
  options: { readonly accountName: string; readonly operator: boolean; readonly onlyFirst: boolean },
): Promise<AccountMade> {
  const { people, signIn, clock } = deps
  const user = await createFreshUser(deps, owner)
  if (user === null) return { ok: false, why: 'taken' }
  const account = { id: newId('acc'), name: options.accountName, createdAt: clock.now() }
  try {
    const made = await people.createAccount(account, { userId: user.id, operator: options.operator }, options)
    if (made) return { ok: true, accountId: account.id, user }
  } catch (error) {
    await signIn.removeUser(user.id)
    throw error
  }
  await signIn.removeUser(user.id)
  return { ok: false, why: 'not_first' }
}

/** Null when the address belongs to a member of an account. One left over by a crash, without an account, goes. */
export async function createFreshUser(
  {
    signIn,
    people,
  }: Pick<CreateAccountDeps, 'signIn'> & { readonly people: Pick<PeopleStorage, 'memberOf'> },
  user: NewUser,
): Promise<User | null> {
  const before = await signIn.userByEmail(user.email)
  if (before !== null) {
    if ((await people.memberOf(before.id)) !== null) return null
    await signIn.removeUser(before.id)
  }
  return signIn.createUser(user)
}
