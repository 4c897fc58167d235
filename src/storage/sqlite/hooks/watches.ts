import { type AppKey, uniqueApps, type Watch } from '../../../model/hook.ts'
import { filterValues } from '../../hooks/filter-rows.ts'
import { WATCH_COLUMNS, type WatchRow, watchOf } from '../../hooks/hook-rows.ts'
import {
  deleteUnneededWatches,
  type MissingRow,
  missingWatchesQuery,
  missingWatchOf,
} from '../../hooks/watch-set-rows.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { expediteFeeds, updatePollSet } from '../feeds/coverage.ts'

export function watchesOf(db: Connection, hookId: string): Watch[] {
  return db
    .all<WatchRow>(`select ${WATCH_COLUMNS} from watches where hook_id = ? order by created_at, id`, hookId)
    .map(watchOf)
}

export function insertWatches(db: Connection, watches: readonly Watch[]): void {
  for (const watch of watches) {
    db.run(
      `insert into watches (${WATCH_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      watch.id,
      watch.hookId,
      watch.accountId,
      watch.store,
      watch.appId,
      ...filterValues(watch),
      msOf(watch.createdAt),
      watch.setId,
    )
  }
}

const HAS_SETS_OF_ALL_APPS = 'select 1 from watch_sets where account_id = ? and all_apps = 1 limit 1'
const MISSING = missingWatchesQuery('?1')
const DELETE_UNNEEDED = deleteUnneededWatches('?1')

/**
 * Call it at the end of each change of an account's watches or tracked storefronts. It updates the watches of the
 * account's sets of all apps, then the poll sets of all `changed` apps. `added` are the watches that the caller
 * inserted.
 */
export function applyWatchChange(
  db: Connection,
  accountId: string,
  change: { readonly changed: readonly AppKey[]; readonly added?: readonly Watch[] },
  now: Date,
): void {
  const bySets = updateSetsOfAllApps(db, accountId, now)
  const added = [...(change.added ?? []), ...bySets.added]
  for (const app of uniqueApps([...change.changed, ...bySets.removed, ...added])) updatePollSet(db, app)
  for (const watch of added) expediteFeeds(db, watch, now)
}

function updateSetsOfAllApps(
  db: Connection,
  accountId: string,
  now: Date,
): { removed: AppKey[]; added: Watch[] } {
  if (db.get(HAS_SETS_OF_ALL_APPS, accountId) === undefined) return { removed: [], added: [] }
  const removed = db
    .all<{ store: AppKey['store']; app_id: string }>(DELETE_UNNEEDED, accountId)
    .map(({ store, app_id }) => ({ store, appId: app_id }))
  const added = db.all<MissingRow>(MISSING, accountId).map((row) => missingWatchOf(row, now))
  insertWatches(db, added)
  return { removed, added }
}
