import { uniqueApps, type Watch, type WatchSet } from '../../../model/hook.ts'
import { WATCH_COLUMNS, type WatchRow, watchOf } from '../../hooks/hook-rows.ts'
import {
  hasAppQuery,
  hasSameFilter,
  keptWatches,
  storefrontsToTrack,
  WATCH_SET_COLUMNS,
  type WatchSetRow,
  watchesOfSet,
  watchSetOf,
  watchSetValues,
} from '../../hooks/watch-set-rows.ts'
import type { Connection } from '../connect.ts'
import { trackStorefronts } from '../feeds/watched-apps.ts'
import { applyWatchChange, insertWatches } from './watches.ts'

const INSERT_SET = `insert into watch_sets (${WATCH_SET_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const HAS_APP = hasAppQuery('?1', '?2', '?3')

/**
 * Stores a set and the watches of its listed apps. Returns these watches; the caller passes them to `applyWatchChange`.
 */
export function insertWatchSet(db: Connection, set: WatchSet): Watch[] {
  db.run(INSERT_SET, ...watchSetValues(set))
  const watches = watchesOfSet(set, set.apps ?? [])
  insertWatches(db, watches)
  return watches
}

/** The body of `HookStorage.updateWatchSet`. */
export function updateWatchSet(db: Connection, set: WatchSet): boolean {
  const row = findWatchSet(db, set)
  if (row === undefined) return false
  const before = watchesIn(db, set.id)
  const isSameFilter = hasSameFilter(watchSetOf(row, null), set)
  const kept = isSameFilter ? keptWatches(before, set) : []
  const keptIds = new Set(kept.map(({ id }) => id))
  for (const { id } of before) if (!keptIds.has(id)) db.run('delete from watches where id = ?', id)
  db.run(
    `update watch_sets set (${WATCH_SET_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) where id = ?`,
    ...watchSetValues(isSameFilter ? { ...set, createdAt: watchSetOf(row, null).createdAt } : set),
    set.id,
  )
  const added = watchesOfSet(set, set.apps ?? [], kept)
  insertWatches(db, added)
  if (set.apps === null) keepApps(db, before, set.createdAt)
  applyWatchChange(db, set.accountId, { changed: [...before, ...added], added }, set.createdAt)
  return true
}

/** The body of `HookStorage.replaceWatchBySet`. */
export function replaceWatchBySet(db: Connection, watchId: string, set: WatchSet): boolean {
  const row = db.get<WatchRow>(
    `select ${WATCH_COLUMNS} from watches where id = ? and hook_id = ? and account_id = ? and set_id is null`,
    watchId,
    set.hookId,
    set.accountId,
  )
  if (row === undefined) return false
  const before = watchOf(row)
  const isSameFilter = hasSameFilter(before, set)
  const kept = isSameFilter ? keptWatches([before], set) : []
  db.run(INSERT_SET, ...watchSetValues(isSameFilter ? { ...set, createdAt: before.createdAt } : set))
  if (kept.length > 0) db.run('update watches set set_id = ? where id = ?', set.id, watchId)
  else db.run('delete from watches where id = ?', watchId)
  const added = watchesOfSet(set, set.apps ?? [], kept)
  insertWatches(db, added)
  if (set.apps === null) keepApps(db, [before], set.createdAt)
  applyWatchChange(db, set.accountId, { changed: [before, ...added], added }, set.createdAt)
  return true
}

/** The body of `HookStorage.replaceSetByWatch`. */
export function replaceSetByWatch(db: Connection, setId: string, watch: Watch): boolean {
  const row = findWatchSet(db, { ...watch, id: setId })
  if (row === undefined) return false
  const before = watchesIn(db, setId)
  const isSameFilter = hasSameFilter(watchSetOf(row, null), watch)
  const [kept] = isSameFilter ? keptWatches(before, { apps: [watch] }) : []
  if (kept !== undefined) db.run('update watches set set_id = null where id = ?', kept.id)
  db.run('delete from watches where set_id = ?', setId)
  db.run('delete from watch_sets where id = ?', setId)
  const added = kept === undefined ? [watch] : []
  insertWatches(db, added)
  applyWatchChange(db, watch.accountId, { changed: [...before, ...added], added }, watch.createdAt)
  return true
}

/** The body of `HookStorage.removeWatchSet`. */
export function removeWatchSet(
  db: Connection,
  key: Pick<WatchSet, 'id' | 'hookId' | 'accountId'>,
  now: Date,
): boolean {
  if (findWatchSet(db, key) === undefined) return false
  const changed = uniqueApps(watchesIn(db, key.id))
  db.run('delete from watches where set_id = ?', key.id)
  db.run('delete from watch_sets where id = ?', key.id)
  applyWatchChange(db, key.accountId, { changed }, now)
  return true
}

function findWatchSet(
  db: Connection,
  { id, hookId, accountId }: Pick<WatchSet, 'id' | 'hookId' | 'accountId'>,
): WatchSetRow | undefined {
  return db.get<WatchSetRow>(
    `select ${WATCH_SET_COLUMNS} from watch_sets where id = ? and hook_id = ? and account_id = ?`,
    id,
    hookId,
    accountId,
  )
}

function watchesIn(db: Connection, setId: string): Watch[] {
  return db.all<WatchRow>(`select ${WATCH_COLUMNS} from watches where set_id = ?`, setId).map(watchOf)
}

/** Tracks the apps that only these watches covered. Otherwise a set of all apps would lose them. */
function keepApps(db: Connection, watches: readonly Watch[], now: Date): void {
  for (const watch of watches) {
    const { accountId, store, appId } = watch
    if (db.get(HAS_APP, accountId, store, appId) !== undefined) continue
    trackStorefronts(db, accountId, watch, storefrontsToTrack(watch), now)
  }
}
