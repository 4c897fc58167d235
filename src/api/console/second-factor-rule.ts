import type { UserStore } from '../../operations/accounts/users.ts'
import type { Member } from '../../storage/port/people.ts'
import type { Session } from './sign-in.ts'

/**
 * Whether the account requires a second factor that the user has not turned on: until then they can only turn it on. A user without a
 * password signs in at the identity provider, which has its own rules.
 */
export async function lacksSecondFactor(
  users: Pick<UserStore, 'hasPassword'>,
  member: Pick<Member, 'requiresSecondFactor' | 'userId'>,
  session: Pick<Session, 'hasSecondFactor'>,
): Promise<boolean> {
  return member.requiresSecondFactor && !session.hasSecondFactor && (await users.hasPassword(member.userId))
}
