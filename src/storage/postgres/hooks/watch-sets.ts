import { uniqueApps, type Watch, type WatchSet } from '../../../model/hook.ts'
import { WATCH_COLUMNS, type WatchRow, watchOf } from '../../hooks/hook-rows.ts'
import {
  hasSameFilter,
  keptWatches,
  WATCH_SET_COLUMNS,
  type WatchSetRow,
  watchesOfSet,
  watchSetOf,
  watchSetValues,
} from '../../hooks/watch-set-rows.ts'
import type { Queries, Transaction } from '../connect.ts'
import { applyWatchChange, insertWatches } from './watches.ts'

/**
 * Stores a set and the watches of its listed apps. Returns these watches; the caller passes them to `applyWatchChange`.
 */
export async function insertWatchSet(tx: Transaction, set: WatchSet): Promise<Watch[]> {
  await tx.run(
    `insert into watch_sets (${WATCH_SET_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
       $14, $15)`,
    ...watchSetValues(set),
  )
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
  await applyWatchChange(tx, set.accountId, { changed: [...before, ...added], added }, set.createdAt)
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
