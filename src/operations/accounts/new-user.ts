import { z } from 'zod'
import { EMAIL_CHARS_MAX, PASSWORD_CHARS } from '../../model/input-limits.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { OperationError } from '../error.ts'
import { nameOf } from './names.ts'
import type { NewUser, User, UserStore } from './users.ts'

/**
 * The same rule as for the sign-in: a user with another address could never sign in. Nobody proves an address: it is only the name with
 * which one user signs in by password, and decides nothing else.
 */
const Email = z.email().max(EMAIL_CHARS_MAX)

/** Validates a new user and trims the name. Throws `invalid`. */
export function checkNewUser({ name, email, password, identity }: NewUser): NewUser {
  checkEmail(email)
  if (password !== null && (password.length < PASSWORD_CHARS.min || password.length > PASSWORD_CHARS.max)) {
    const problem = `must have ${PASSWORD_CHARS.min} to ${PASSWORD_CHARS.max} characters.`
    throw new OperationError('invalid', problem, { field: 'password' })
  }
  return { name: nameOf(name), email, password, identity }
}

export function isEmail(text: string): boolean {
  return Email.safeParse(text).success
}

/** Throws `invalid`. */
export function checkEmail(email: string): void {
  if (isEmail(email)) return
  const problem = `must be an e-mail address of at most ${EMAIL_CHARS_MAX} characters.`
  throw new OperationError('invalid', problem, { field: 'email' })
}

/**
 * Creates a user who belongs to no account yet, and replaces one whom a crash left without an account. Throws `conflict` when the address,
 * or the identity, belongs to a member of an account.
 */
export async function createUserWithoutAccount(
  {
    users,
    people,
  }: { readonly users: UserStore; readonly people: Pick<PeopleStorage, 'memberships' | 'removeMemberships'> },
  newUser: NewUser,
): Promise<User> {
  const { identity, email } = newUser
  const existing = await (identity === undefined ? users.userByEmail(email) : users.userOfIdentity(identity))
  if (existing !== null) {
    if ((await people.memberships(existing.id)).length > 0) throw emailTaken()
    await removeUserWithoutAccount({ users, people }, existing.id)
  }
  const user = await users.createUser(newUser)
  if (user === null) throw emailTaken()
  return user
}

/**
 * Removes a user who belongs to no account. An invitation that they accept meanwhile leaves no member without a user, who would count as an
 * owner: `addMembership` looks for the user after it, and this removes it after the user.
 */
export async function removeUserWithoutAccount(
  {
    users,
    people,
  }: {
    readonly users: Pick<UserStore, 'removeUser'>
    readonly people: Pick<PeopleStorage, 'removeMemberships'>
  },
  userId: string,
): Promise<void> {
  await users.removeUser(userId)
  await people.removeMemberships(userId)
}

function emailTaken(): OperationError {
  return new OperationError(
    'conflict',
    'A user with this e-mail address already exists. Sign in as that user, or use another address.',
  )
}
