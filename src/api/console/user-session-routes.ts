import type { SessionListView } from '../../contract/console/people.ts'
import type { UserSession } from '../../operations/accounts/users.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'

export type UserSessionRouteDeps = { readonly operations: Pick<Operations, 'sessions'> }

/** The sessions of the signed-in user. */
export function userSessionRoutes({ operations: { sessions } }: UserSessionRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/sessions',
      run: async ({ caller }) =>
        (await sessions.list(caller.user.id)).map((session) => presentSession(session, caller.sessionId)),
    }),

    route({
      method: 'DELETE',
      path: '/sessions/:id',
      viewersToo: true,
      run: ({ caller, param }) => sessions.end(caller.user.id, param('id')),
    }),
  ]
}

function presentSession(session: UserSession, currentId: string | null): SessionListView {
  const { id, signedInAt, lastUsedAt, clientAddress, userAgent } = session
  return {
    id,
    signedInAt: signedInAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    clientAddress,
    userAgent,
    current: id === currentId,
  }
}
