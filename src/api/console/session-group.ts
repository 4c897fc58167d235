import type { AccountGuard } from '../../operations/limits.ts'
import { notFound, type RouteGroup } from '../add-routes.ts'
import {
  type GuardedSessionDeps,
  memberOf,
  notSignedIn,
  refuseForeignChange,
  requireOwner,
} from '../session.ts'

export type SessionGroupDeps = GuardedSessionDeps & { readonly limits: Pick<AccountGuard, 'apiRequest'> }

/** The console's routes accept changes only from the console's own pages, and identify the caller by the session cookie. */
export function sessionGroup(deps: SessionGroupDeps): RouteGroup {
  return {
    prefix: '/api/console',
    async authenticate({ access }, request, reply) {
      // Also without a session: signing in is a change.
      refuseForeignChange(request, deps)
      if (access === 'anyone') return null
      const member = (await memberOf(request, reply, deps)) ?? notSignedIn()
      if (access === 'operator' && !member.operator) throw notFound()
      if (access === 'owner') requireOwner(member)
      deps.limits.apiRequest(member.accountId)
      return member
    },
  }
}
