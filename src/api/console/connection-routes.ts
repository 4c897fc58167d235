import {
  ConnectionChangeBody,
  type ConnectionLine,
  CredentialsBody,
  NewConnectionBody,
} from '../../contract/console/connections.ts'
import type { ReviewHistory } from '../../model/review-history.ts'
import { type ConnectionView, historyPercent, type ReachedSource } from '../../operations/connections/view.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'

export type ConnectionRouteDeps = { readonly operations: Pick<Operations, 'connections'> }

/** Connections with the stores. Every member sees them without their keys; owners change them, as they do tokens. */
export function connectionRoutes({ operations: { connections } }: ConnectionRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/stores',
      run: async ({ caller }) => (await connections.list(caller.accountId)).map(presentConnection),
    }),

    route({
      method: 'POST',
      path: '/stores',
      access: 'owner',
      body: NewConnectionBody,
      run: async ({ caller, body }) => presentConnection(await connections.connect(caller.accountId, body)),
    }),

    route({
      method: 'POST',
      path: '/stores/:id/test',
      access: 'owner',
      run: async ({ caller, param }) =>
        presentConnection(await connections.test(caller.accountId, param('id'))),
    }),

    route({
      method: 'PUT',
      path: '/stores/:id/credentials',
      access: 'owner',
      body: CredentialsBody,
      run: async ({ caller, param, body }) =>
        presentConnection(await connections.rotate(caller.accountId, param('id'), body)),
    }),

    route({
      method: 'PATCH',
      path: '/stores/:id',
      access: 'owner',
      body: ConnectionChangeBody,
      run: async ({ caller, param, body }) =>
        presentConnection(await connections.change(caller.accountId, param('id'), body)),
    }),

    appRoute('PUT', '/stores/:id/apps/:appId', connections.useForReviews),
    appRoute('DELETE', '/stores/:id/apps/:appId', connections.usePublicPages),
    appRoute('PUT', '/stores/:id/apps/:appId/history', connections.importHistory),
    appRoute('DELETE', '/stores/:id/apps/:appId/history', connections.stopHistory),

    route({
      method: 'DELETE',
      path: '/stores/:id',
      access: 'owner',
      run: ({ caller, param }) => connections.remove(caller.accountId, param('id')),
    }),
  ]
}

/** Changes one app of a connection. */
function appRoute(
  method: 'PUT' | 'DELETE',
  path: string,
  change: (accountId: string, id: string, appId: string) => Promise<ConnectionView>,
): Route {
  return route({
    method,
    path,
    access: 'owner',
    run: async ({ caller, param }) =>
      presentConnection(await change(caller.accountId, param('id'), param('appId'))),
  })
}

function presentConnection(connection: ConnectionView): ConnectionLine {
  const { accountId: _, check, createdAt, rotatedAt, apps, ...rest } = connection
  const { at, ...result } = check
  return {
    ...rest,
    ...result,
    createdAt: createdAt.toISOString(),
    rotatedAt: rotatedAt?.toISOString() ?? null,
    checkedAt: at.toISOString(),
    apps: apps.map(({ source, history, ...app }) => ({
      ...app,
      source: presentSource(source),
      history: presentHistory(history),
    })),
  }
}

function presentHistory(history: ReviewHistory | null): ConnectionLine['apps'][number]['history'] {
  if (history === null) return null
  const { state, reviews, added, problem } = history
  return { state, reviews, added, percent: historyPercent(history), problem }
}

function presentSource(source: ReachedSource | null): ConnectionLine['apps'][number]['source'] {
  if (source === null || source.state === 'public') return null
  const { state, changedAt, lastOkAt, problem } = source
  return { state, since: changedAt.toISOString(), lastOkAt: lastOkAt?.toISOString() ?? null, problem }
}
