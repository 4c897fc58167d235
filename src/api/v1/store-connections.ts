import type { Routes } from '../../contract/routes.ts'
import type { CredentialsBody, StoreConnectionView } from '../../contract/v1/store-connections.ts'
import type { ReviewHistory } from '../../model/review-history.ts'
import type { CredentialsInput } from '../../operations/connections/credentials.ts'
import { type ConnectionView, historyPercent, type ReachedSource } from '../../operations/connections/view.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type StoreConnectionRouteDeps = { readonly operations: Pick<Operations, 'connections'> }

export function storeConnectionRoutes(table: Routes, { operations }: StoreConnectionRouteDeps) {
  const { connections } = operations
  return {
    list_store_connections: apiRoute(table.list_store_connections, async ({ caller }) =>
      (await connections.list(caller.accountId)).map(presentConnection),
    ),
    get_store_connection: apiRoute(table.get_store_connection, async ({ caller, param }) =>
      presentConnection(await connections.get(caller.accountId, param('id'))),
    ),
    connect_store: apiRoute(table.connect_store, async ({ caller, body: { name, ...body } }) =>
      presentConnection(await connections.connect(caller.accountId, { ...credentialsIn(body), name })),
    ),
    test_store_connection: apiRoute(table.test_store_connection, async ({ caller, param }) =>
      presentConnection(await connections.test(caller.accountId, param('id'))),
    ),
    rotate_store_credentials: apiRoute(table.rotate_store_credentials, async ({ caller, param, body }) =>
      presentConnection(await connections.rotate(caller.accountId, param('id'), credentialsIn(body))),
    ),
    change_store_connection: apiRoute(table.change_store_connection, async ({ caller, param, body }) => {
      const { name, app_ids: appIds, reports_bucket: reportsBucket } = body
      const change = { name, appIds, reportsBucket }
      return presentConnection(await connections.change(caller.accountId, param('id'), change))
    }),
    use_store_connection: apiRoute(table.use_store_connection, async ({ caller, param }) =>
      presentConnection(await connections.useForReviews(caller.accountId, param('id'), param('app_id'))),
    ),
    leave_store_connection: apiRoute(table.leave_store_connection, async ({ caller, param }) =>
      presentConnection(await connections.usePublicPages(caller.accountId, param('id'), param('app_id'))),
    ),
    import_store_history: apiRoute(table.import_store_history, async ({ caller, param }) =>
      presentConnection(await connections.importHistory(caller.accountId, param('id'), param('app_id'))),
    ),
    stop_store_history: apiRoute(table.stop_store_history, async ({ caller, param }) =>
      presentConnection(await connections.stopHistory(caller.accountId, param('id'), param('app_id'))),
    ),
    remove_store_connection: apiRoute(table.remove_store_connection, async ({ caller, param }) => {
      await connections.remove(caller.accountId, param('id'))
      return undefined
    }),
  } as const satisfies Record<string, Route>
}

function credentialsIn(body: CredentialsBody): CredentialsInput {
  return {
    kind: body.kind,
    issuerId: body.issuer_id,
    keyId: body.key_id,
    privateKey: body.private_key,
    serviceAccount: body.service_account,
    reportsBucket: body.reports_bucket,
    appIds: body.app_ids,
  }
}

function presentConnection(connection: ConnectionView): StoreConnectionView {
  const { rights, warnings, problem, at } = connection.check
  return {
    id: connection.id,
    kind: connection.kind,
    store: connection.store,
    name: connection.name,
    subject: connection.subject,
    created_at: connection.createdAt.toISOString(),
    rotated_at: connection.rotatedAt?.toISOString() ?? null,
    checked_at: at.toISOString(),
    problem,
    warnings: [...warnings],
    rights: { read_reviews: rights.readReviews, reply: rights.reply, history: rights.history },
    apps: connection.apps.map((app) => ({
      app_id: app.appId,
      name: app.name,
      bundle_id: app.bundleId,
      countries: [...app.storefronts],
      source_connection_id: app.sourceConnectionId,
      source: presentSource(app.source),
      history: presentHistory(app.history),
    })),
  }
}

function presentHistory(history: ReviewHistory | null): StoreConnectionView['apps'][number]['history'] {
  if (history === null) return null
  const { state, startedAt, updatedAt, reviews, added, ratingsOnly, malformed, problem } = history
  return {
    state,
    started_at: startedAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    reviews,
    added,
    ratings_only: ratingsOnly,
    malformed,
    percent: historyPercent(history),
    problem,
  }
}

function presentSource(source: ReachedSource | null): StoreConnectionView['apps'][number]['source'] {
  if (source === null || source.state === 'public') return null
  return {
    state: source.state,
    since: source.changedAt.toISOString(),
    last_ok_at: source.lastOkAt?.toISOString() ?? null,
    problem: source.problem,
  }
}
