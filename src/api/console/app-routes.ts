import { z } from 'zod'
import { type AppLine, FindAppQuery, FollowBody, type FoundApps } from '../../contract/console/apps.ts'
import { starsOf } from '../../model/decimal.ts'
import { STORES, type Store } from '../../model/vocabulary.ts'
import type { AccountGuard } from '../../operations/limits.ts'
import type { StoreApp } from '../../pipeline/appstores/appstore.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FeedStorage } from '../../storage/port/feeds.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { AppInsight, InsightsStorage } from '../../storage/port/insights.ts'
import { Refusal } from '../errors.ts'
import { presentAppPage } from './app-page.ts'
import { worstHealth } from './feed-health.ts'
import { type FindAppsDeps, findApps } from './find-apps.ts'
import { DAY_MS } from './overview-routes.ts'
import { type ConsoleRoute, consoleRoute } from './route.ts'

export type AppDeps = FindAppsDeps & {
  readonly clock: Clock
  readonly insights: Pick<InsightsStorage, 'apps' | 'app'>
  readonly hooks: Pick<HookStorage, 'follow'>
  readonly limits: AccountGuard
  readonly feeds: Pick<FeedStorage, 'saveApps'>
  /** Ends the poll loop's wait: a newly ticked storefront is due now. */
  readonly wakePoll: () => void
}

/** Apps found lately, remembered by this node so that a followed one has its name at once. Chosen: some 100 KB. */
const FOUND_MAX = 500

const DAYS = ['7', '30', '90', '365'] as const
const PageQuery = z.object({ days: z.enum(DAYS, { error: `days: one of ${DAYS.join(', ')}` }).default('30') })

export function appRoutes(deps: AppDeps): ConsoleRoute[] {
  const { insights, hooks, feeds, clock } = deps
  const found = new Map<string, StoreApp>()
  const remember = (apps: readonly StoreApp[]) => {
    for (const app of apps) found.set(`${app.store} ${app.appId}`, app)
    for (const key of found.keys()) {
      if (found.size <= FOUND_MAX) break
      found.delete(key)
    }
  }

  return [
    consoleRoute({
      method: 'GET',
      path: '/apps',
      run: async ({ caller }) => (await insights.apps(caller.accountId, clock.now())).map(presentApp),
    }),

    consoleRoute({
      method: 'GET',
      path: '/apps/find',
      query: FindAppQuery,
      async run({ caller, query }): Promise<FoundApps> {
        deps.limits.appSearch(caller.accountId)
        const answer = await findApps(deps, query)
        remember(answer.found)
        return { apps: answer.apps, problems: answer.problems }
      },
    }),

    consoleRoute({
      method: 'GET',
      path: '/apps/:store/:appId',
      query: PageQuery,
      async run({ caller, param, query }) {
        const app = { store: storeOf(param('store')), appId: param('appId') }
        const now = clock.now()
        const days = Number(query.days)
        const since = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS)
        const detail = await insights.app(caller.accountId, app, since, now)
        if (detail === null) throw notWatched()
        return presentAppPage(detail, presentApp(detail), since, days)
      },
    }),

    consoleRoute({
      method: 'PUT',
      path: '/apps/:store/:appId',
      body: FollowBody,
      async run({ caller, param, body }) {
        const app = { store: storeOf(param('store')), appId: param('appId').trim() }
        if (app.appId === '') throw new Refusal('invalid', 'appId: is required')
        await hooks.follow(
          caller.accountId,
          app,
          [...new Set(body.storefronts)],
          clock.now(),
          deps.limits.counts,
        )
        // Only what the store told us: names are shared by all accounts, and a body could claim anything.
        const known = found.get(`${app.store} ${app.appId}`)
        if (known !== undefined) await feeds.saveApps([known], clock.now())
        deps.wakePoll()
      },
    }),
  ]
}

export function storeOf(text: string): Store {
  const store = STORES.find((each) => each === text)
  if (store === undefined) throw notWatched()
  return store
}

function notWatched(): Refusal {
  return new Refusal('not_found', 'The account does not follow this app.')
}

function presentApp(app: AppInsight): AppLine {
  return {
    store: app.store,
    appId: app.appId,
    name: app.name,
    developer: app.developer,
    iconUrl: app.iconUrl,
    storefronts: app.ticked,
    neededStorefronts: app.needed,
    ratings: app.ratings.map(({ storefront, rating }) => ({
      storefront,
      rating: starsOf(rating.micros),
      count: rating.count,
    })),
    reviews7d: app.reviews7d,
    lastReviewAt: app.lastReviewAt?.toISOString() ?? null,
    health: worstHealth(app.feeds),
    destinations: app.hooks,
  }
}
