import type { ReviewSource } from '../../model/review-source.ts'
import { type ConnectedApp, type StoreConnection, storeOfConnection } from '../../model/store-connection.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'

/** A connection without its credentials, with the apps that it reaches. */
export type ConnectionView = Omit<StoreConnection, 'credentials' | 'check'> & {
  readonly store: Store
  readonly check: Omit<StoreConnection['check'], 'apps'>
  readonly apps: readonly ReachedApp[]
}

export type ReachedApp = ConnectedApp & {
  /** Those that the account tracks or has watches for; empty for an app that it does not track. */
  readonly storefronts: readonly Storefront[]
  /** Whether this connection is the source of the account's reviews of the app. */
  readonly source: ReachedSource | null
}

export type ReachedSource = Pick<
  ReviewSource,
  'state' | 'changedAt' | 'lastOkAt' | 'failingSince' | 'problem'
>

export function connectionView(
  { credentials: _, check: { apps, ...check }, ...connection }: StoreConnection,
  watched: readonly WatchedApp[],
  sources: readonly ReviewSource[],
): ConnectionView {
  const store = storeOfConnection(connection.kind)
  return {
    ...connection,
    store,
    check,
    apps: apps.map((app) => {
      const rows = watched.filter((row) => row.store === store && row.appId === app.appId)
      return {
        ...app,
        name: app.name ?? rows[0]?.name ?? null,
        storefronts: rows.map(({ storefront }) => storefront),
        source: sourceOf(connection.id, app.appId, sources),
      }
    }),
  }
}

function sourceOf(
  connectionId: string,
  appId: string,
  sources: readonly ReviewSource[],
): ReachedSource | null {
  const source = sources.find((each) => each.connectionId === connectionId && each.appId === appId)
  if (source === undefined) return null
  const { state, changedAt, lastOkAt, failingSince, problem } = source
  return { state, changedAt, lastOkAt, failingSince, problem }
}
