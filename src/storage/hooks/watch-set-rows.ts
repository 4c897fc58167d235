import { type AppKey, appKeyOf, type Watch, type WatchFilter, type WatchSet } from '../../model/hook.ts'
import { newId } from '../../model/ids.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'
import { dateOf, flagOf, msOf } from '../values.ts'
import { FILTER_COLUMNS, type FilterRow, filterOf, filterValues } from './filter-rows.ts'

/** Rows of watch sets, the same on both engines. */

export const WATCH_SET_COLUMNS = `id, hook_id, account_id, all_apps, ${FILTER_COLUMNS}, created_at`

export type WatchSetRow = FilterRow & {
  id: string
  hook_id: string
  account_id: string
  all_apps: number
  created_at: number
}

export function watchSetOf(row: WatchSetRow, apps: readonly AppKey[] | null): WatchSet {
  return {
    id: row.id,
    hookId: row.hook_id,
    accountId: row.account_id,
    apps,
    ...filterOf(row),
    createdAt: dateOf(row.created_at),
  }
}

/** In the order of `WATCH_SET_COLUMNS`. */
export function watchSetValues(set: WatchSet) {
  return [
    set.id,
    set.hookId,
    set.accountId,
    flagOf(set.apps === null),
    ...filterValues(set),
    msOf(set.createdAt),
  ] as const
}

export function hasSameFilter(one: WatchFilter, other: WatchFilter): boolean {
  return JSON.stringify(filterValues(one)) === JSON.stringify(filterValues(other))
}

/** The watch of a set for one of its apps, which matches occurrences from `createdAt` on. */
function watchOfSet(set: WatchSet, { store, appId }: AppKey, createdAt: Date): Watch {
  const { id: setId, apps: _, ...rule } = set
  return { ...rule, id: newId('wat'), setId, store, appId, createdAt }
}

/** The watches of a set for those of its `apps` that have none in `kept`. */
export function watchesOfSet(set: WatchSet, apps: readonly AppKey[], kept: readonly Watch[] = []): Watch[] {
  const known = new Set(kept.map(appKeyOf))
  return apps.filter((app) => !known.has(appKeyOf(app))).map((app) => watchOfSet(set, app, set.createdAt))
}

/** The existing watches that remain when only the apps of a set change. */
export function keptWatches(watches: readonly Watch[], { apps }: Pick<WatchSet, 'apps'>): readonly Watch[] {
  if (apps === null) return watches
  const wanted = new Set(apps.map(appKeyOf))
  return watches.filter((watch) => wanted.has(appKeyOf(watch)))
}

/** A set, and an app of its account that has no watch of it yet. */
export type MissingRow = WatchSetRow & { missing_store: Store; missing_app_id: string }

export function missingWatchOf(row: MissingRow, now: Date): Watch {
  return watchOfSet(watchSetOf(row, null), { store: row.missing_store, appId: row.missing_app_id }, now)
}

/**
 * The apps that an account tracks or watches, without the watches of its sets of all apps, since otherwise these would
 * never lose an app. The first parameter is the account, on both engines.
 */
const appsOfAccount = (account: string) => `
  select store, app_id from tracked_storefronts where account_id = ${account}
  union
  select w.store, w.app_id from watches w left join watch_sets s on s.id = w.set_id
  where w.account_id = ${account} and coalesce(s.all_apps, 0) = 0`

/** The watches that sets of all apps lack. */
export const missingWatchesQuery = (account: string) => `
  with account_apps as (${appsOfAccount(account)})
  select ${WATCH_SET_COLUMNS.replace(/\w+/g, 's.$&')}, a.store as missing_store, a.app_id as missing_app_id
  from watch_sets s cross join account_apps a
  where s.account_id = ${account} and s.all_apps = 1 and not exists (
    select 1 from watches w where w.set_id = s.id and w.store = a.store and w.app_id = a.app_id)
  order by s.created_at, s.id, a.store, a.app_id`

/** Deletes the watches that sets of all apps have for apps that the account no longer has. */
export const deleteUnneededWatches = (account: string) => `
  delete from watches
  where set_id in (select id from watch_sets where account_id = ${account} and all_apps = 1)
    and (store, app_id) not in (select store, app_id from (${appsOfAccount(account)}) account_apps)
  returning store, app_id`

/** Whether an account still has an app, once its watch belongs to a set of all apps. The parameters are account, store and app id. */
export const hasAppQuery = (account: string, store: string, appId: string) => `
  select 1 from (${appsOfAccount(account)}) account_apps where store = ${store} and app_id = ${appId}`

/**
 * The storefronts to track for an app that only the changed rule watched, so that a set of all apps keeps it.
 * Without storefronts of its own, the watch covered `us`.
 */
export function storefrontsToTrack({ storefronts }: WatchFilter): readonly Storefront[] {
  return storefronts ?? ['us']
}
