import { LRUCache } from 'lru-cache'
import { dayStarts } from '../../model/days.ts'
import { appKeyOf } from '../../model/hook.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { StoreApp } from '../../pipeline/appstores/appstore.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FeedStorage } from '../../storage/port/feeds.ts'
import type { HookStorage, WatchedApp } from '../../storage/port/hooks.ts'
import type {
  AppDetail,
  AppRange,
  AppReport,
  ReportStorage,
  ReviewRecord,
} from '../../storage/port/reports.ts'
import { OperationError } from '../error.ts'
import type { AccountGuard } from '../limits.ts'
import { type Changer, mayChangeRules } from '../require-hook.ts'
import { type AppQuery, type FoundApps, findApps, type SearchedStore } from './find-apps.ts'

export type { AppReport, WatchedApp }

export type AppDeps = {
  readonly stores: readonly SearchedStore[]
  readonly reports: Pick<ReportStorage, 'apps' | 'app' | 'reviews'>
  readonly hooks: Pick<HookStorage, 'trackStorefronts' | 'untrack' | 'watchedApps'>
  readonly feeds: Pick<FeedStorage, 'saveApps'>
  readonly limits: Pick<AccountGuard, 'appSearch' | 'counts'>
  readonly clock: Clock
  /** Ends the wait of the loops: a newly tracked storefront is due now. */
  readonly wake: () => void
}

export type AppId = { readonly store: Store; readonly appId: string }

export type AppView = AppDetail & {
  /** The newest reviews of the range with one or two stars. */
  readonly newestLow: readonly ReviewRecord[]
  /** The end of the range. */
  readonly until: Date
}

const LOW_STARS = [1, 2]
const NEWEST_LOW = 5

/** Apps of recent searches that this node caches (about 100 KB), so that a newly tracked app has its name at once. */
const FOUND_MAX = 500

export function appOperations(deps: AppDeps) {
  const { reports, hooks, feeds, clock, limits } = deps
  const found = new LRUCache<string, StoreApp>({ max: FOUND_MAX })
  const remember = (apps: readonly StoreApp[]) => {
    for (const app of apps) found.set(appKeyOf(app), app)
  }

  return {
    /** Apps that the account tracks or has watches for. */
    list: (accountId: string): Promise<AppReport[]> => reports.apps(accountId, clock.now()),

    /** Storefronts that the account tracks or has watches for, with the names of their apps. */
    storefronts: (accountId: string): Promise<WatchedApp[]> => hooks.watchedApps(accountId),

    /** One of the apps, with its figures over the last `count` days of the zone. Throws `not_found`. */
    async get(accountId: string, app: AppId, count: number, zone: string): Promise<AppView> {
      const now = clock.now()
      const range = rangeOf(now, count, zone)
      const low = { ...app, stars: LOW_STARS, since: range.days[0], until: now }
      const [detail, newest] = await Promise.all([
        reports.app(accountId, app, range, now),
        reports.reviews(accountId, low, { limit: NEWEST_LOW, before: null }),
      ])
      if (detail === null) throw new OperationError('not_found', 'The account does not track this app.')
      return { ...detail, newestLow: newest.reviews, until: now }
    },

    /** Searches the stores. Throws `rate_limited` when the account has used up its searches of this minute. */
    async find(accountId: string, query: AppQuery): Promise<FoundApps> {
      limits.appSearch(accountId)
      const answer = await findApps(deps.stores, { ...query, accountId })
      remember(answer.apps)
      return answer
    },

    /**
     * Stops tracking the app. With `removesRules` it is also removed from the watches and watch sets that name it, where this caller may
     * change them. Those that remain still poll it.
     */
    async untrack(accountId: string, app: AppId, by: Changer, removesRules: boolean): Promise<void> {
      const removesFrom = (source: string) => removesRules && mayChangeRules({ source }, by)
      await hooks.untrack(accountId, app, removesFrom, clock.now())
    },

    /**
     * Tracks the app in exactly these storefronts from now on. Throws `invalid` for an empty app id, and
     * `conflict` at the account's limit of tracked storefronts.
     */
    async track(
      accountId: string,
      { store, appId: text }: AppId,
      storefronts: readonly Storefront[],
    ): Promise<void> {
      const app = { store, appId: text.trim() }
      if (app.appId === '') throw new OperationError('invalid', 'is required.', { field: 'appId' })
      const unique = [...new Set(storefronts)]
      await hooks.trackStorefronts(accountId, app, unique, clock.now(), limits.counts)
      // All accounts share app names, so only the stores' answers may set them, not a request.
      const known = found.get(appKeyOf(app))
      if (known !== undefined) await feeds.saveApps([known], clock.now())
      deps.wake()
    },
  }
}

function rangeOf(now: Date, count: number, zone: string): AppRange {
  return { before: dayStarts(now, 2 * count, zone)[0], days: dayStarts(now, count, zone) }
}
