import type { Clock } from '../../runtime/clock.ts'
import { OperationError } from '../error.ts'
import { checkEmail } from './new-user.ts'
import type { User, UserStore } from './users.ts'

export type PasswordResetDeps = { readonly users: () => Promise<UserStore>; readonly clock: Clock }

/** `passkeys`: how many the user has. */
export type PasswordReset = {
  readonly user: User
  readonly token: string
  readonly expiresAt: Date
  readonly passkeys: number
}

/** Long enough to send a link in a chat. */
const RESET_MS = 3_600_000

/**
 * Creates the token of a link to set a new password once, within an hour. Only this return value contains the token. Throws `invalid` for
 * the address, and `not_found` when no user has it.
 */
export async function createPasswordReset(
  { users, clock }: PasswordResetDeps,
  email: string,
  options: { readonly keepsPasskeys: boolean },
): Promise<PasswordReset> {
  checkEmail(email)
  const store = await users()
  const user = await store.userByEmail(email)
  if (user === null)
    throw new OperationError('not_found', `There is no user with the e-mail address ${email}.`)
  const expiresAt = new Date(clock.now().getTime() + RESET_MS)
  const passkeys = (await store.passkeys(user.id)).length
  return { user, token: await store.createPasswordReset(user.id, expiresAt, options), expiresAt, passkeys }
}
