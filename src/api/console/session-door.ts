import type { AccountGuard } from '../../operations/limits.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { type Door, notFound } from '../add-routes.ts'
import { ApiError } from '../errors.ts'
import { refuseForeign } from './same-site.ts'
import type { SignIn } from './sign-in.ts'

export type SessionDoorDeps = {
  readonly signIn: () => Promise<SignIn>
  readonly people: Pick<PeopleStorage, 'memberOf'>
  readonly limits: Pick<AccountGuard, 'apiRequest'>
  /** Origins under which the console is reached. */
  readonly origins: () => readonly string[]
}

/** The console's door: accepts changes only from its own pages, and identifies the caller by the session cookie. */
export function sessionDoor(deps: SessionDoorDeps): Door {
  return {
    prefix: '/api/console',
    async admit({ method, access }, request, reply) {
      if (method !== 'GET') refuseForeign(request.headers, deps.origins())
      if (access === 'anyone') return null
      const signIn = await deps.signIn()
      const { user, sessionId, setCookies } = await signIn.sessionOf(request.headers.cookie)
      if (setCookies.length > 0) reply.header('set-cookie', setCookies)
      const member = user === null ? null : await deps.people.memberOf(user.id)
      if (user === null || member === null) throw new ApiError('unauthorized', 'You are not signed in.')
      if (access === 'operator' && !member.operator) throw notFound()
      if (access === 'owner' && member.role !== 'owner') {
        throw new ApiError('forbidden', 'Only an owner of the account may do this.')
      }
      deps.limits.apiRequest(member.accountId)
      return { user, sessionId, accountId: member.accountId, role: member.role, operator: member.operator }
    },
  }
}
