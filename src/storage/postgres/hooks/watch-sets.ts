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
import type { Queries, Transaction } from '../connect.ts'
import { trackStorefronts } from '../feeds/watched-apps.ts'
import { applyWatchChange, insertWatches } from './watches.ts'

const INSERT_SET = `insert into watch_sets (${WATCH_SET_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
  $11, $12, $13, $14, $15)`
const HAS_APP = hasAppQuery('$1', '$2', '$3')

/**
 * Stores a set and the watches of its listed apps. Returns these watches; the caller passes them to `applyWatchChange`.
 */
export async function insertWatchSet(tx: Transaction, set: WatchSet): Promise<Watch[]> {
  await tx.run(INSERT_SET, ...watchSetValues(set))
  const watches = watchesOfSet(set, set.apps ?? [])
  await insertWatches(tx, watches)
  return watches
}

/** The body of `HookStorage.updateWatchSet`. */
export async function updateWatchSet(tx: Transaction, set: WatchSet): Promise<boolean> {
  const row = await findWatchSet(tx, set)
  if (row === undefined) return false
  const before = await watchesIn(tx, set.id)
  const isSameFilter = hasSameFilter(watchSetOf(row, null), set)
  const kept = isSameFilter ? keptWatches(before, set) : []
  const keptIds = new Set(kept.map(({ id }) => id))
  const ended = before.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id)
  await tx.run('delete from watches where id = any($1::text[])', ended)
  await tx.run(
    `update watch_sets set (${WATCH_SET_COLUMNS}) = ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
       $14, $15) where id = $16`,
    ...watchSetValues(isSameFilter ? { ...set, createdAt: watchSetOf(row, null).createdAt } : set),
    set.id,
  )
  const added = watchesOfSet(set, set.apps ?? [], kept)
  await insertWatches(tx, added)
  if (set.apps === null) await keepApps(tx, before, set.createdAt)
  await applyWatchChange(tx, set.accountId, { changed: [...before, ...added], added }, set.createdAt)
  return true
}

/** The body of `HookStorage.replaceWatchBySet`. */
export async function replaceWatchBySet(tx: Transaction, watchId: string, set: WatchSet): Promise<boolean> {
  const row = await tx.get<WatchRow>(
    `select ${WATCH_COLUMNS} from watches where id = $1 and hook_id = $2 and account_id = $3 and set_id is null`,
    watchId,
    set.hookId,
    set.accountId,
  )
  if (row === undefined) return false
  const before = watchOf(row)
  const isSameFilter = hasSameFilter(before, set)
  const kept = isSameFilter ? keptWatches([before], set) : []
  await tx.run(INSERT_SET, ...watchSetValues(isSameFilter ? { ...set, createdAt: before.createdAt } : set))
  if (kept.length > 0) await tx.run('update watches set set_id = $1 where id = $2', set.id, watchId)
  else await tx.run('delete from watches where id = $1', watchId)
  const added = watchesOfSet(set, set.apps ?? [], kept)
  await insertWatches(tx, added)
  if (set.apps === null) await keepApps(tx, [before], set.createdAt)
  await applyWatchChange(tx, set.accountId, { changed: [before, ...added], added }, set.createdAt)
  return true
}

/** The body of `HookStorage.replaceSetByWatch`. */
export async function replaceSetByWatch(tx: Transaction, setId: string, watch: Watch): Promise<boolean> {
  const row = await findWatchSet(tx, { ...watch, id: setId })
  if (row === undefined) return false
  const before = await watchesIn(tx, setId)
  const isSameFilter = hasSameFilter(watchSetOf(row, null), watch)
  const [kept] = isSameFilter ? keptWatches(before, { apps: [watch] }) : []
  if (kept !== undefined) await tx.run('update watches set set_id = null where id = $1', kept.id)
  await tx.run('delete from watches where set_id = $1', setId)
  await tx.run('delete from watch_sets where id = $1', setId)
  const added = kept === undefined ? [watch] : []
  await insertWatches(tx, added)
  await applyWatchChange(tx, watch.accountId, { changed: [...before, ...added], added }, watch.createdAt)
  return true
}

/** The body of `HookStorage.removeWatchSet`. */
export async function removeWatchSet(
  tx: Transaction,
  key: Pick<WatchSet, 'id' | 'hookId' | 'accountId'>,
  now: Date,
): Promise<boolean> {
  if ((await findWatchSet(tx, key)) === undefined) return false
  const changed = uniqueApps(await watchesIn(tx, key.id))
  await tx.run('delete from watches where set_id = $1', key.id)
  await tx.run('delete from watch_sets where id = $1', key.id)
  await applyWatchChange(tx, key.accountId, { changed }, now)
  return true
}

async function findWatchSet(
  tx: Transaction,
  { id, hookId, accountId }: Pick<WatchSet, 'id' | 'hookId' | 'accountId'>,
): Promise<WatchSetRow | undefined> {
  return tx.get<WatchSetRow>(
    `select ${WATCH_SET_COLUMNS} from watch_sets where id = $1 and hook_id = $2 and account_id = $3`,
    id,
    hookId,
    accountId,
  )
}

async function watchesIn(tx: Queries, setId: string): Promise<Watch[]> {
  const rows = await tx.all<WatchRow>(`select ${WATCH_COLUMNS} from watches where set_id = $1`, setId)
  return rows.map(watchOf)
}

/** Tracks the apps that only these watches covered. Otherwise a set of all apps would lose them. */
async function keepApps(tx: Transaction, watches: readonly Watch[], now: Date): Promise<void> {
  for (const watch of watches) {
    const { accountId, store, appId } = watch
    if ((await tx.get(HAS_APP, accountId, store, appId)) !== undefined) continue
    await trackStorefronts(tx, accountId, watch, storefrontsToTrack(watch), now)
  }
}
