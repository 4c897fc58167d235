import { type AppKey, uniqueApps, type Watch } from '../../../model/hook.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { watchOfSet } from '../../../model/watch-set.ts'
import { columns, named, text, word } from '../../columns.ts'
import { all, get, type Value, type Work } from '../../work.ts'
import { expediteFeeds, updatePollSet } from '../feeds/coverage.ts'
import { storedWatch, WATCH, WATCH_SET, watchOf, watchSetOf } from './watch-columns.ts'

/** `condition` on the table `watches`. */
export function* watchesWhere(condition: string, ...values: readonly Value[]): Work<Watch[]> {
  return (yield* WATCH.all(`from watches where ${condition} order by created_at, id`, ...values)).map(watchOf)
}

export function insertWatches(watches: readonly Watch[]): Work<number> {
  return WATCH.insertAll('watches', watches.map(storedWatch))
}

/**
 * Call it at the end of each change of an account's watches or tracked storefronts. It updates the watches of the
 * account's sets of all apps, then the poll sets of all `changed` apps. `added` are the watches that the caller
 * inserted. The caller holds the lock of the account (`lockAccounts`), since otherwise two concurrent changes could each
 * miss the other's apps.
 */
export function* applyWatchChange(
  accountId: string,
  change: { readonly changed: readonly AppKey[]; readonly added?: readonly Watch[] },
  now: Date,
): Work<void> {
  const bySets = yield* updateSetsOfAllApps(accountId, now)
  const added = [...(change.added ?? []), ...bySets.added]
  yield* updatePollSet(uniqueApps([...change.changed, ...bySets.removed, ...added]))
  yield* expediteFeeds(added, now)
}

function* updateSetsOfAllApps(
  accountId: string,
  now: Date,
): Work<{ removed: readonly AppKey[]; added: readonly Watch[] }> {
  const sets = 'select 1 from watch_sets where account_id = ?1 and all_apps = 1 limit 1'
  if ((yield* get(sets, accountId)) === undefined) return { removed: [], added: [] }
  const removed = (yield* all<{ store: Store; app_id: string }>(DELETE_UNNEEDED, accountId)).map(
    ({ store, app_id }) => ({ store, appId: app_id }),
  )
  const added = (yield* MISSING.all(FROM_MISSING, accountId)).map(({ app, ...set }) =>
    watchOfSet(watchSetOf(set, []), app, now),
  )
  yield* insertWatches(added)
  return { removed, added }
}

/** A set, and an app of its account that has no watch of it yet. */
const MISSING = columns(
  { ...WATCH_SET.shape, app: { store: named('a.store', word<Store>()), appId: named('a.app_id', text) } },
  's',
)

/**
 * The apps that the account `?1` tracks or watches, without the watches of its sets of all apps, since otherwise these
 * would never lose an app.
 */
const APPS_OF_ACCOUNT = `
  select store, app_id from tracked_storefronts where account_id = ?1
  union
  select w.store, w.app_id from watches w left join watch_sets s on s.id = w.set_id
  where w.account_id = ?1 and coalesce(s.all_apps, 0) = 0`

/** The watches that sets of all apps lack. */
const FROM_MISSING = `from watch_sets s cross join (${APPS_OF_ACCOUNT}) a
  where s.account_id = ?1 and s.all_apps = 1 and not exists (
    select 1 from watches w where w.set_id = s.id and w.store = a.store and w.app_id = a.app_id)
  order by s.created_at, s.id, a.store, a.app_id`

/** The watches that sets of all apps have for apps that the account no longer has. */
const DELETE_UNNEEDED = `delete from watches
  where set_id in (select id from watch_sets where account_id = ?1 and all_apps = 1)
    and (store, app_id) not in (select store, app_id from (${APPS_OF_ACCOUNT}) account_apps)
  returning store, app_id`

/** Whether the account still has an app, once its watch belongs to a set of all apps. */
export function* hasApp(accountId: string, { store, appId }: AppKey): Work<boolean> {
  const app = `select 1 from (${APPS_OF_ACCOUNT}) account_apps where store = ?2 and app_id = ?3`
  return (yield* get(app, accountId, store, appId)) !== undefined
}
