import {
  feedsNeeded,
  storefrontsWatched,
  type TrackedStorefront,
  type WatchScope,
} from '../../../model/coverage.ts'
import { type AppKey, appKeyOf } from '../../../model/hook.ts'
import { privateMarketOf } from '../../../model/market.ts'
import {
  type EventType,
  type FeedKind,
  STOREFRONTS,
  type Store,
  type Storefront,
} from '../../../model/vocabulary.ts'
import { all, type Work } from '../../work.ts'
import { storefrontsOf } from '../hooks/tracked-storefronts.ts'

/** A tracked storefront (no event type), a watch, or a market with imported reviews of one account. */
type ScopeRow = {
  readonly store: Store
  readonly app_id: string
  readonly event_type: EventType | null
  /** A storefront; for a watch as storefront-text.ts. */
  readonly storefront: string | null
  /** Whether a watch remains when the account stops tracking the app: 0 for those of sets of all apps. */
  readonly names_app: number
  /** The market of private reviews, or `OFFICIAL_ONLY`; null for tracked storefronts and watches. */
  readonly import_market: string | null
}

/** The part of an app that an account may see: the feeds of its tracked storefronts and watches. */
export type AppScope = {
  readonly store: Store
  readonly appId: string
  readonly ticked: readonly Storefront[]
  /** The storefronts of all watches, tracked or not. */
  readonly needed: readonly Storefront[]
  /** Those of the watches that remain when the account stops tracking the app. */
  readonly kept: readonly Storefront[]
  readonly markets: Readonly<Record<FeedKind, readonly string[]>>
}

/** Instead of a market: the account gets official reviews of the app while others get public ones, so it sees no public ones. */
const OFFICIAL_ONLY = '*'

/** The apps of an account, by store and app id. */
export function* scopesIn(accountId: string): Work<AppScope[]> {
  return scopesOf(yield* all<ScopeRow>(SCOPES, accountId), accountId)
}

const SCOPES = `select distinct w.store, w.app_id, w.event_type, w.storefront,
    1 - coalesce(s.all_apps, 0) as names_app, null as import_market
  from watches w join hooks h on h.id = w.hook_id left join watch_sets s on s.id = w.set_id
  where w.account_id = ?1 and h.status <> 'gone' and h.deleted_at is null
  union all
  select store, app_id, null, storefront, 0, null from tracked_storefronts where account_id = ?1
  union all
  select store, app_id, null, null, 0, market from imports where account_id = ?1
  union all
  select s.store, s.app_id, null, null, 0, '${OFFICIAL_ONLY}' from review_sources s
  where s.account_id = ?1 and s.state = 'official' and exists (
    select 1 from feeds f join feed_accounts a on a.feed_id = f.id
    where f.store = s.store and f.app_id = s.app_id and f.kind = 'reviews')`

function scopesOf(rows: readonly ScopeRow[], owner: string): AppScope[] {
  return [...Map.groupBy(rows, ({ store, app_id }) => `${store} ${app_id}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, ofApp]) => {
      const [first] = ofApp.filter(({ import_market }) => import_market === null)
      return first === undefined ? [] : [scopeOf(first.store, first.app_id, ofApp, owner)]
    })
}

export function scopesByApp(scopes: readonly AppScope[]): ReadonlyMap<string, AppScope> {
  return new Map(scopes.map((scope) => [appKeyOf(scope), scope]))
}

function scopeOf(store: Store, appId: string, rows: readonly ScopeRow[], owner: string): AppScope {
  const accountId = 'one'
  const tracked: TrackedStorefront[] = []
  const watches: (WatchScope & { readonly namesApp: boolean })[] = []
  const imported: string[] = []
  let isOfficialOnly = false
  for (const { event_type: eventType, storefront, names_app, import_market: market } of rows) {
    if (market === OFFICIAL_ONLY) isOfficialOnly = true
    else if (market !== null) imported.push(privateMarketOf(market, owner))
    else if (eventType !== null)
      watches.push({
        accountId,
        eventType,
        storefronts: storefrontsOf(storefront),
        namesApp: names_app === 1,
        createdAt: new Date(0),
        lateReviewsHours: 0,
      })
    else for (const each of storefrontsOf(storefront) ?? []) tracked.push({ accountId, storefront: each })
  }
  const feeds = feedsNeeded(store, watches, tracked)
  const ticked = new Set(tracked.map(({ storefront }) => storefront))
  const storefrontsOfWatches = (some: readonly WatchScope[]) =>
    storefrontsWatched(some, []).get(accountId) ?? []
  const marketsOf = (kind: FeedKind) => feeds.filter((feed) => feed.kind === kind).map(({ market }) => market)
  return {
    store,
    appId,
    ticked: STOREFRONTS.filter((storefront) => ticked.has(storefront)),
    needed: storefrontsOfWatches(watches),
    kept: storefrontsOfWatches(watches.filter(({ namesApp }) => namesApp)),
    markets: {
      reviews: [...(isOfficialOnly ? [] : marketsOf('reviews')), ...imported],
      rating: marketsOf('rating'),
    },
  }
}

/** The apps, as rows of `APPS`. */
export function appList(scopes: readonly AppKey[]): string {
  return JSON.stringify(scopes.map(({ store, appId }) => ({ store, app_id: appId })))
}

export const APPS = { store: 'text', app_id: 'text' } as const
