import type { AccountGuard } from '../../operations/limits.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { notFound, type RouteGroup } from '../add-routes.ts'
import { ApiError } from '../errors.ts'
import { refuseForeign } from './same-site.ts'
import { lacksSecondFactor } from './second-factor-rule.ts'
import type { SignIn } from './sign-in.ts'

export type SessionGroupDeps = {
  readonly signIn: () => Promise<SignIn>
  readonly people: Pick<PeopleStorage, 'memberOf'>
  readonly limits: Pick<AccountGuard, 'apiRequest'>
  /** The origins of the console. */
  readonly origins: () => readonly string[]
}

/** The console's routes accept changes only from the console's own pages, and identify the caller by the session cookie. */
export function sessionGroup(deps: SessionGroupDeps): RouteGroup {
  return {
    prefix: '/api/console',
    async authenticate({ method, access }, request, reply) {
      if (method !== 'GET') refuseForeign(request.headers, deps.origins())
      if (access === 'anyone') return null
      const signIn = await deps.signIn()
      const session = await signIn.sessionOf(request.headers.cookie)
      const { user, sessionId, setCookies } = session
      if (setCookies.length > 0) reply.header('set-cookie', setCookies)
      const member = user === null ? null : await deps.people.memberOf(user.id)
      if (user === null || member === null) throw new ApiError('unauthorized', 'You are not signed in.')
      if (await lacksSecondFactor(signIn, member, session)) {
        throw new ApiError('forbidden', 'Your account requires a second factor. Turn it on first.')
      }
      if (access === 'operator' && !member.operator) throw notFound()
      if (access === 'owner' && member.role !== 'owner') {
        throw new ApiError('forbidden', 'Only an owner of the account may do this.')
      }
      deps.limits.apiRequest(member.accountId)
      return { user, sessionId, accountId: member.accountId, role: member.role, operator: member.operator }
    },
  }
}
