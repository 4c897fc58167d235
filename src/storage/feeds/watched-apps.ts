import { STOREFRONTS, type Store } from '../../model/vocabulary.ts'
import { storefrontsOf } from '../hooks/storefront-text.ts'
import type { WatchedApp } from '../port/hooks.ts'

/** The storefronts of a watch, or a tracked storefront, of one account; null is a watch of every storefront. */
export type WatchedRow = {
  readonly store: Store
  readonly app_id: string
  /** As storefront-text.ts. */
  readonly storefront: string | null
  readonly name: string | null
}

/** Each app and storefront once, by store, app id and the order of docs/contract.md, Storefronts. */
export function watchedAppsOf(rows: readonly WatchedRow[]): WatchedApp[] {
  const apps = new Map<string, WatchedApp>()
  for (const { store, app_id, storefront, name } of rows) {
    for (const each of storefrontsOf(storefront) ?? ['us' as const]) {
      apps.set(`${store} ${each} ${app_id}`, { store, appId: app_id, storefront: each, name })
    }
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
