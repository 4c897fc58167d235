import type { Storefront } from '../../../model/vocabulary.ts'
import { type WatchedRow, watchedAppsOf } from '../../feeds/watched-apps.ts'
import type { WatchedApp } from '../../port/hooks.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import type { App } from './coverage.ts'

/** Replaces the tracked storefronts of an app. The caller updates the poll set. */
export function trackStorefronts(
  db: Connection,
  accountId: string,
  app: App,
  storefronts: readonly Storefront[],
  now: Date,
): void {
  db.run(
    `delete from tracked_storefronts where account_id = ? and store = ? and app_id = ?
       and storefront not in (select value from json_each(?))`,
    accountId,
    app.store,
    app.appId,
    JSON.stringify(storefronts),
  )
  for (const storefront of storefronts) {
    db.run(
      `insert into tracked_storefronts (account_id, store, app_id, storefront, created_at) values (?, ?, ?, ?, ?)
       on conflict do nothing`,
      accountId,
      app.store,
      app.appId,
      storefront,
      msOf(now),
    )
  }
}

/** The body of `HookStorage.watchedApps`. */
export function watchedApps(db: Connection, accountId: string): WatchedApp[] {
  const rows = db.all<WatchedRow>(
    `select watched.store, watched.app_id, watched.storefront, apps.name
     from (
       select w.store, w.app_id, w.storefront from watches w join hooks h on h.id = w.hook_id
       where w.account_id = ?1 and h.status <> 'gone' and h.deleted_at is null
       union
       select store, app_id, storefront from tracked_storefronts where account_id = ?1
     ) watched
     left join apps on apps.store = watched.store and apps.app_id = watched.app_id`,
    accountId,
  )
  return watchedAppsOf(rows)
}
