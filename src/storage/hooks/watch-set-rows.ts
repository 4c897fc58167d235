import type { AppKey, Watch, WatchRules, WatchSet } from '../../model/hook.ts'
import { newId } from '../../model/ids.ts'
import type { EventType, Store, Storefront } from '../../model/vocabulary.ts'
import { dateOf, flagOf, jsonOrNull, msOf, parsedOrNull } from '../values.ts'

/** Rows of watch sets, the same on both engines. */

export const WATCH_SET_COLUMNS =
  'id, hook_id, account_id, all_apps, event_type, storefront, min_stars, max_stars, delta_micros, threshold_micros, rules, created_at'

export type WatchSetRow = {
  id: string
  hook_id: string
  account_id: string
  all_apps: number
  event_type: EventType
  storefront: Storefront | null
  min_stars: number
  max_stars: number
  delta_micros: number | null
  threshold_micros: number | null
  rules: string | null
  created_at: number
}

export function watchSetOf(row: WatchSetRow, apps: readonly AppKey[] | null): WatchSet {
  return {
    id: row.id,
    hookId: row.hook_id,
    accountId: row.account_id,
    apps,
    eventType: row.event_type,
    storefront: row.storefront,
    minStars: row.min_stars,
    maxStars: row.max_stars,
    deltaMicros: row.delta_micros,
    thresholdMicros: row.threshold_micros,
    rules: parsedOrNull<WatchRules>(row.rules),
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

function filterValues(set: WatchSet) {
  return [
    set.eventType,
    set.storefront,
    set.minStars,
    set.maxStars,
    set.deltaMicros,
    set.thresholdMicros,
    jsonOrNull(set.rules),
  ] as const
}

export function hasSameFilter(one: WatchSet, other: WatchSet): boolean {
  return JSON.stringify(filterValues(one)) === JSON.stringify(filterValues(other))
}

/** The watch of a set for one of its apps, which matches occurrences from `createdAt` on. */
function watchOfSet(set: WatchSet, { store, appId }: AppKey, createdAt: Date): Watch {
  const { id: setId, apps: _, ...rule } = set
  return { ...rule, id: newId('wat'), setId, store, appId, createdAt }
}

/** The watches of a set for those of its `apps` that have none in `kept`. */
export function watchesOfSet(set: WatchSet, apps: readonly AppKey[], kept: readonly Watch[] = []): Watch[] {
  const known = new Set(kept.map(keyOf))
  return apps.filter((app) => !known.has(keyOf(app))).map((app) => watchOfSet(set, app, set.createdAt))
}

/** The existing watches that remain when only the apps of a set change. */
export function keptWatches(watches: readonly Watch[], { apps }: WatchSet): readonly Watch[] {
  if (apps === null) return watches
  const wanted = new Set(apps.map(keyOf))
  return watches.filter((watch) => wanted.has(keyOf(watch)))
}

function keyOf({ store, appId }: AppKey): string {
  return `${store} ${appId}`
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
