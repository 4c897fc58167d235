import type { AppKey } from '../../../model/hook.ts'
import { STOREFRONTS, type Store, type Storefront } from '../../../model/vocabulary.ts'
import type { WatchedApp } from '../../port/hooks.ts'
import { msOf } from '../../values.ts'
import { all, run, sql, type Work } from '../../work.ts'

/** Replaces the tracked storefronts of an app. The caller updates the poll set. */
export function* trackStorefronts(
  accountId: string,
  { store, appId }: AppKey,
  storefronts: readonly Storefront[],
  now: Date,
): Work<void> {
  yield* run(DELETE_OTHERS, accountId, store, appId, storefronts)
  yield* run(INSERT, accountId, store, appId, storefronts, msOf(now))
}

const DELETE_OTHERS = sql(
  (d) => `delete from tracked_storefronts
    where account_id = ?1 and store = ?2 and app_id = ?3 and not storefront ${d.among('?4', 'text')}`,
)

const INSERT = sql(
  (d) => `insert into tracked_storefronts (account_id, store, app_id, storefront, created_at)
    select ?1, ?2, ?3, code, ?5 from ${d.each('?4', 'text', 'code')} where true on conflict do nothing`,
)

/** The body of `HookStorage.watchedApps`. */
export function* watchedApps(accountId: string): Work<WatchedApp[]> {
  const apps = new Map<string, WatchedApp>()
  for (const { store, app_id, storefront, name, connected } of yield* all<WatchedRow>(WATCHED, accountId)) {
    for (const each of storefrontsOf(storefront) ?? [ANY_STOREFRONT]) {
      apps.set(`${store} ${each} ${app_id}`, {
        store,
        appId: app_id,
        storefront: each,
        name,
        isConnected: connected === 1,
      })
    }
  }
  return [...apps.values()].sort(
    (a, b) =>
      ordered(a.store, b.store) ||
      ordered(a.appId, b.appId) ||
      STOREFRONTS.indexOf(a.storefront) - STOREFRONTS.indexOf(b.storefront),
  )
}

/** Where a watch of every storefront is polled, besides the tracked ones. */
const ANY_STOREFRONT: Storefront = 'us'

/** The storefronts of a watch, as storefront-text.ts, or a tracked storefront. */
type WatchedRow = {
  readonly store: Store
  readonly app_id: string
  readonly storefront: string | null
  readonly name: string | null
  readonly connected: number
}

const WATCHED = `select watched.store, watched.app_id, watched.storefront, apps.name,
    case when s.account_id is null then 0 else 1 end as connected
  from (
    select w.store, w.app_id, w.storefront from watches w join hooks h on h.id = w.hook_id
    where w.account_id = ?1 and h.status <> 'gone' and h.deleted_at is null
    union
    select store, app_id, storefront from tracked_storefronts where account_id = ?1
  ) watched
  left join apps on apps.store = watched.store and apps.app_id = watched.app_id
  left join review_sources s on s.account_id = ?1 and s.store = watched.store and s.app_id = watched.app_id
    and s.state = 'official'`

/** The body of `HookStorage.watchedStorefronts`. */
export function* watchedStorefronts({ store, appId }: AppKey): Work<Storefront[]> {
  const rows = yield* all<{ readonly storefront: string | null }>(WATCHED_STOREFRONTS, store, appId)
  const watched = new Set(rows.flatMap(({ storefront }) => storefrontsOf(storefront) ?? [ANY_STOREFRONT]))
  return STOREFRONTS.filter((storefront) => watched.has(storefront))
}

const WATCHED_STOREFRONTS = `select w.storefront from watches w join hooks h on h.id = w.hook_id
    where w.store = ?1 and w.app_id = ?2 and h.status <> 'gone' and h.deleted_at is null
  union
  select storefront from tracked_storefronts where store = ?1 and app_id = ?2`

function ordered(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The storefronts of a watch in its column `storefront`: codes separated by commas, so that a watch of one storefront
 * is stored as before watches had several. Null covers every storefront.
 */
export function storefrontsText(storefronts: readonly Storefront[] | null): string | null {
  return storefronts === null ? null : storefronts.join(',')
}

export function storefrontsOf(text: string | null): Storefront[] | null {
  if (text === null) return null
  const codes = text.split(',')
  return STOREFRONTS.filter((storefront) => codes.includes(storefront))
}

/** A condition on both engines: the column `text` of a watch has the storefront `code`. */
export function hasStorefront(text: string, code: string): string {
  return `',' || ${text} || ',' like '%,' || ${code} || ',%'`
}

/** A table of all storefronts on both engines, with the column `code`. */
export const ALL_STOREFRONTS = `(${STOREFRONTS.map((code) => `select '${code}' as code`).join(' union all ')})`
