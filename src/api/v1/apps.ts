import type { Routes } from '../../contract/routes.ts'
import type { TrackedApp } from '../../contract/v1/apps.ts'
import { starsOf } from '../../model/decimal.ts'
import { feedHealth, worstHealth } from '../../model/feed-health.ts'
import { STOREFRONTS, STORES, type Store } from '../../model/vocabulary.ts'
import type { AppId, AppReport } from '../../operations/apps/apps.ts'
import type { Operations } from '../../operations/operations.ts'
import { isEditable } from '../../operations/require-hook.ts'
import { notFound } from '../add-routes.ts'
import { changerOf, type Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type AppRouteDeps = { readonly operations: Pick<Operations, 'apps'> }

export function appRoutes(table: Routes, { operations: { apps } }: AppRouteDeps) {
  return {
    list_apps: apiRoute(table.list_apps, async ({ caller: { accountId } }) => {
      const storefronts = await apps.storefronts(accountId)
      return storefronts.map(({ store, appId, storefront, name }) => ({
        id: `${store}:${appId}:${storefront}`,
        name: name ?? appId,
        store,
        app_id: appId,
        country: storefront,
      }))
    }),

    search_apps: apiRoute(table.search_apps, async ({ caller, query: { q, store, country } }) => {
      const found = await apps.find(caller.accountId, { text: q, store, storefront: country })
      return {
        data: found.apps.map((app) => ({
          store: app.store,
          app_id: app.appId,
          name: app.name,
          developer: app.developer,
          icon_url: app.iconUrl,
          rating: app.rating === null ? null : starsOf(app.rating.micros),
          rating_count: app.rating?.count ?? null,
        })),
        problems: [...found.problems],
      }
    }),

    list_tracked_apps: apiRoute(table.list_tracked_apps, async ({ caller }) =>
      (await apps.list(caller.accountId)).map(presentApp),
    ),

    track_app: apiRoute(table.track_app, async ({ caller, param, body }) => {
      await apps.track(caller.accountId, appOf(param), body.countries)
      return undefined
    }),

    untrack_app: apiRoute(table.untrack_app, async ({ caller, param, query }) => {
      await apps.untrack(caller.accountId, appOf(param), changerOf(caller), query.watches === 'remove')
      return undefined
    }),
  } as const satisfies Record<string, Route>
}

export function appOf(param: (name: string) => string): AppId {
  const store: Store | undefined = STORES.find((each) => each === param('store'))
  if (store === undefined) throw notFound()
  return { store, appId: param('app_id') }
}

export function presentApp(app: AppReport): TrackedApp {
  return {
    store: app.store,
    app_id: app.appId,
    name: app.name,
    developer: app.developer,
    icon_url: app.iconUrl,
    countries: [...app.ticked],
    needed_countries: app.needed.filter((storefront) => !app.ticked.includes(storefront)),
    watched_countries: [...app.needed],
    kept_countries: [...app.kept],
    named_by: {
      console: rulesOf(app, isEditable),
      programs: rulesOf(app, (hook) => !isEditable(hook)),
    },
    ratings: app.ratings.map(({ storefront, rating }) => ({
      country: storefront,
      rating: starsOf(rating.micros),
      rating_count: rating.count,
    })),
    unrated_countries: STOREFRONTS.filter((country) =>
      app.feeds.some((feed) => feed.market === country && feedHealth(feed) === 'unrated'),
    ),
    reviews_7d: app.reviews7d,
    last_review_at: app.lastReviewAt?.toISOString() ?? null,
    health: worstHealth(app.feeds),
    hooks: app.hooks,
  }
}

function rulesOf({ namedBy }: AppReport, isCounted: (hook: { readonly source: string }) => boolean): number {
  return namedBy.filter(isCounted).reduce((sum, { rules }) => sum + rules, 0)
}
