import { STOREFRONTS, type Store, type Storefront } from '../../model/vocabulary.ts'
import type { WatchedApp } from '../port/hooks.ts'

/** The scope of a watch, or a tracked storefront, of one account; null is a watch without a storefront. */
export type WatchedRow = {
  readonly store: Store
  readonly app_id: string
  readonly storefront: Storefront | null
  readonly name: string | null
}

/** Each app and storefront once, by store, app id and the order of docs/contract.md, Storefronts. */
export function watchedAppsOf(rows: readonly WatchedRow[]): WatchedApp[] {
  const apps = new Map<string, WatchedApp>()
  for (const { store, app_id, storefront, name } of rows) {
    const watched = { store, appId: app_id, storefront: storefront ?? 'us', name }
    apps.set(`${watched.store} ${watched.storefront} ${watched.appId}`, watched)
  }
  return [...apps.values()].sort(
    (a, b) =>
      ordered(a.store, b.store) ||
      ordered(a.appId, b.appId) ||
      STOREFRONTS.indexOf(a.storefront) - STOREFRONTS.indexOf(b.storefront),
  )
}

function ordered(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
