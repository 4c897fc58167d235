import { type AppKey, uniqueApps, type Watch, type WatchSet } from '../../../model/hook.ts'
import { keptWatches, storefrontsToTrack, watchesOfSet } from '../../../model/watch-set.ts'
import { all, get, run, sql, type Work } from '../../work.ts'
import { trackStorefronts } from './tracked-storefronts.ts'
import { hasSameFilter, storedSet, WATCH_SET, watchSetOf } from './watch-columns.ts'
import { applyWatchChange, hasApp, insertWatches, watchesWhere } from './watches.ts'

/**
 * Stores a set and the watches of its listed apps. Returns these watches; the caller passes them to `applyWatchChange`.
 */
export function* insertWatchSet(set: WatchSet): Work<Watch[]> {
  yield* WATCH_SET.insert('watch_sets', storedSet(set))
  const watches = watchesOfSet(set, set.apps ?? [])
  yield* insertWatches(watches)
  return watches
}

/** The body of `HookStorage.updateWatchSet`. */
export function* updateWatchSet(set: WatchSet): Work<boolean> {
  const stored = yield* findWatchSet(set)
  if (stored === null) return false
  const before = yield* watchesWhere('set_id = ?1', set.id)
  const isSameFilter = hasSameFilter(stored, set)
  const kept = isSameFilter ? keptWatches(before, set) : []
  const keptIds = new Set(kept.map(({ id }) => id))
  yield* deleteWatches(before.filter(({ id }) => !keptIds.has(id)))
  const createdAt = isSameFilter ? stored.createdAt : set.createdAt
  yield* WATCH_SET.update('watch_sets', storedSet({ ...set, createdAt }), 'id = ?1', set.id)
  const added = watchesOfSet(set, set.apps ?? [], kept)
  yield* insertWatches(added)
  if (set.apps === null) yield* keepApps(before, set.createdAt)
  yield* applyWatchChange(set.accountId, { changed: [...before, ...added], added }, set.createdAt)
  return true
}

/** The body of `HookStorage.replaceWatchBySet`. */
export function* replaceWatchBySet(watchId: string, set: WatchSet): Work<boolean> {
  const { id, hookId, accountId } = set
  const [before] = yield* watchesWhere(OWN_WATCH, watchId, hookId, accountId)
  if (before === undefined) return false
  const isSameFilter = hasSameFilter(before, set)
  const kept = isSameFilter ? keptWatches([before], set) : []
  const createdAt = isSameFilter ? before.createdAt : set.createdAt
  yield* WATCH_SET.insert('watch_sets', storedSet({ ...set, createdAt }))
  if (kept.length > 0) yield* run('update watches set set_id = ?1 where id = ?2', id, watchId)
  else yield* deleteWatches([before])
  const added = watchesOfSet(set, set.apps ?? [], kept)
  yield* insertWatches(added)
  if (set.apps === null) yield* keepApps([before], set.createdAt)
  yield* applyWatchChange(accountId, { changed: [before, ...added], added }, set.createdAt)
  return true
}

/** The body of `HookStorage.replaceSetByWatch`. */
export function* replaceSetByWatch(setId: string, watch: Watch): Work<boolean> {
  const stored = yield* findWatchSet({ ...watch, id: setId })
  if (stored === null) return false
  const before = yield* watchesWhere('set_id = ?1', setId)
  const [kept] = hasSameFilter(stored, watch) ? keptWatches(before, { apps: [watch] }) : []
  if (kept !== undefined) yield* run('update watches set set_id = null where id = ?1', kept.id)
  yield* deleteSet(setId)
  const added = kept === undefined ? [watch] : []
  yield* insertWatches(added)
  yield* applyWatchChange(watch.accountId, { changed: [...before, ...added], added }, watch.createdAt)
  return true
}

type SetKey = Pick<WatchSet, 'id' | 'hookId' | 'accountId'>

/** The body of `HookStorage.removeWatchSet`. */
export function* removeWatchSet(key: SetKey, now: Date): Work<boolean> {
  if ((yield* findWatchSet(key)) === null) return false
  const changed = uniqueApps(yield* watchesWhere('set_id = ?1', key.id))
  yield* deleteSet(key.id)
  yield* applyWatchChange(key.accountId, { changed }, now)
  return true
}

/** Deletes the watches that name the app, and the sets that have no other app. The caller updates the poll set. */
export function* removeFromRules(
  accountId: string,
  { store, appId }: AppKey,
  removesFrom: (source: string) => boolean,
): Work<void> {
  const named = (yield* all<NamingRow>(NAMING, accountId, store, appId)).filter(({ source }) =>
    removesFrom(source),
  )
  yield* deleteWatches(named)
  for (const { set_id: setId } of named) {
    if (setId === null) continue
    const rest = yield* get('select 1 from watches where set_id = ?1 limit 1', setId)
    if (rest === undefined) yield* deleteSet(setId)
  }
}

type NamingRow = { readonly id: string; readonly set_id: string | null; readonly source: string }

/** The watches of an app, without those of sets of all apps. */
const NAMING = `select w.id, w.set_id, h.source
  from watches w join hooks h on h.id = w.hook_id left join watch_sets s on s.id = w.set_id
  where w.account_id = ?1 and w.store = ?2 and w.app_id = ?3 and h.deleted_at is null
    and coalesce(s.all_apps, 0) = 0`

/** A watch that belongs to no set. */
export const OWN_WATCH = 'id = ?1 and hook_id = ?2 and account_id = ?3 and set_id is null'

const DELETE_WATCHES = sql((d) => `delete from watches where id ${d.among('?1', 'text')}`)

export function deleteWatches(watches: readonly Pick<Watch, 'id'>[]): Work<number> {
  return run(
    DELETE_WATCHES,
    watches.map(({ id }) => id),
  )
}

function* deleteSet(id: string): Work<void> {
  yield* run('delete from watches where set_id = ?1', id)
  yield* run('delete from watch_sets where id = ?1', id)
}

/** Without its apps. */
function* findWatchSet({ id, hookId, accountId }: SetKey): Work<WatchSet | null> {
  const from = 'from watch_sets where id = ?1 and hook_id = ?2 and account_id = ?3'
  const stored = yield* WATCH_SET.find(from, id, hookId, accountId)
  return stored === null ? null : watchSetOf(stored, [])
}

/** Tracks the apps that only these watches covered. Otherwise a set of all apps would lose them. */
function* keepApps(watches: readonly Watch[], now: Date): Work<void> {
  for (const watch of watches) {
    if (yield* hasApp(watch.accountId, watch)) continue
    yield* trackStorefronts(watch.accountId, watch, storefrontsToTrack(watch), now)
  }
}
