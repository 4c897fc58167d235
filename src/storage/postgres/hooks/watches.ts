import { type AppKey, uniqueApps, type Watch } from '../../../model/hook.ts'
import { WATCH_COLUMNS, type WatchRow, watchOf } from '../../hooks/hook-rows.ts'
import { storefrontsText } from '../../hooks/storefront-text.ts'
import {
  deleteUnneededWatches,
  type MissingRow,
  missingWatchesQuery,
  missingWatchOf,
} from '../../hooks/watch-set-rows.ts'
import { jsonOrNull, msOf } from '../../values.ts'
import type { Queries, Transaction } from '../connect.ts'
import { expediteFeeds, updatePollSet } from '../feeds/coverage.ts'

export async function watchesOf(tx: Queries, hookId: string): Promise<Watch[]> {
  const rows = await tx.all<WatchRow>(
    `select ${WATCH_COLUMNS} from watches where hook_id = $1 order by created_at, id`,
    hookId,
  )
  return rows.map(watchOf)
}

export async function insertWatches(tx: Transaction, watches: readonly Watch[]): Promise<void> {
  if (watches.length === 0) return
  await tx.run(
    `insert into watches (${WATCH_COLUMNS})
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::smallint[], $9::smallint[], $10::integer[], $11::integer[], $12::integer[], $13::text[], $14::integer[],
       $15::double precision[], $16::bigint[], $17::text[])`,
    watches.map(({ id }) => id),
    watches.map(({ hookId }) => hookId),
    watches.map(({ accountId }) => accountId),
    watches.map(({ store }) => store),
    watches.map(({ appId }) => appId),
    watches.map(({ eventType }) => eventType),
    watches.map(({ storefronts }) => storefrontsText(storefronts)),
    watches.map(({ minStars }) => minStars),
    watches.map(({ maxStars }) => maxStars),
    watches.map(({ deltaMicros }) => deltaMicros),
    watches.map(({ deltaWindowHours }) => deltaWindowHours),
    watches.map(({ thresholdMicros }) => thresholdMicros),
    watches.map(({ rules }) => jsonOrNull(rules)),
    watches.map(({ spike }) => spike?.minReviews ?? null),
    watches.map(({ spike }) => spike?.factor ?? null),
    watches.map(({ createdAt }) => msOf(createdAt)),
    watches.map(({ setId }) => setId),
  )
}

const HAS_SETS_OF_ALL_APPS = 'select 1 from watch_sets where account_id = $1 and all_apps = 1 limit 1'
const MISSING = missingWatchesQuery('$1')
const DELETE_UNNEEDED = deleteUnneededWatches('$1')

/**
 * Call it at the end of each change of an account's watches or tracked storefronts. It updates the watches of the
 * account's sets of all apps, then the poll sets of all `changed` apps. `added` are the watches that the caller
 * inserted. Differs from sqlite: the caller must hold the lock of the account (`withinLimits`), since otherwise two
 * concurrent changes could each miss the other's apps.
 */
export async function applyWatchChange(
  tx: Transaction,
  accountId: string,
  change: { readonly changed: readonly AppKey[]; readonly added?: readonly Watch[] },
  now: Date,
): Promise<void> {
  const bySets = await updateSetsOfAllApps(tx, accountId, now)
  const added = [...(change.added ?? []), ...bySets.added]
  await updatePollSet(tx, uniqueApps([...change.changed, ...bySets.removed, ...added]))
  await expediteFeeds(tx, added, now)
}

async function updateSetsOfAllApps(
  tx: Transaction,
  accountId: string,
  now: Date,
): Promise<{ removed: AppKey[]; added: Watch[] }> {
  if ((await tx.get(HAS_SETS_OF_ALL_APPS, accountId)) === undefined) return { removed: [], added: [] }
  const removed = await tx.all<{ store: AppKey['store']; app_id: string }>(DELETE_UNNEEDED, accountId)
  const added = (await tx.all<MissingRow>(MISSING, accountId)).map((row) => missingWatchOf(row, now))
  await insertWatches(tx, added)
  return { removed: removed.map(({ store, app_id }) => ({ store, appId: app_id })), added }
}
