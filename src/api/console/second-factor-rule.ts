import type { Member } from '../../storage/port/people.ts'
import type { Session } from './sign-in.ts'

/** Whether the account requires a second factor that the user has not turned on: until then they can only turn it on. */
export function lacksSecondFactor(
  member: Pick<Member, 'requiresSecondFactor'>,
  session: Pick<Session, 'hasSecondFactor'>,
): boolean {
  return member.requiresSecondFactor && !session.hasSecondFactor
}
