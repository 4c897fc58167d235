import type { Storefront } from '../../../model/vocabulary.ts'
import { type WatchedRow, watchedAppsOf } from '../../feeds/watched-apps.ts'
import type { WatchedApp } from '../../port/hooks.ts'
import { msOf } from '../../values.ts'
import type { Queries, Transaction } from '../connect.ts'
import type { App } from './coverage.ts'

/** Replaces the tracked storefronts of an app. The caller updates the poll set. */
export async function trackStorefronts(
  tx: Transaction,
  accountId: string,
  app: App,
  storefronts: readonly Storefront[],
  now: Date,
): Promise<void> {
  await tx.run(
    `delete from tracked_storefronts where account_id = $1 and store = $2 and app_id = $3 and storefront <> all($4::text[])`,
    accountId,
    app.store,
    app.appId,
    storefronts,
  )
  await tx.run(
    `insert into tracked_storefronts (account_id, store, app_id, storefront, created_at)
     select $1, $2, $3, unnest($4::text[]), $5 on conflict do nothing`,
    accountId,
    app.store,
    app.appId,
    storefronts,
    msOf(now),
  )
}

/** The body of `HookStorage.watchedApps`. */
export async function watchedApps(db: Queries, accountId: string): Promise<WatchedApp[]> {
  const rows = await db.all<WatchedRow>(
    `select watched.store, watched.app_id, watched.storefront, apps.name
     from (
       select w.store, w.app_id, w.storefront from watches w join hooks h on h.id = w.hook_id
       where w.account_id = $1 and h.status <> 'gone' and h.deleted_at is null
       union
       select store, app_id, storefront from tracked_storefronts where account_id = $1
     ) watched
     left join apps on apps.store = watched.store and apps.app_id = watched.app_id`,
    accountId,
  )
  return watchedAppsOf(rows)
}
