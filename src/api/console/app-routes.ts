import { z } from 'zod'
import {
  type AppLine,
  FindAppQuery,
  type FoundApp,
  type FoundApps,
  TrackBody,
} from '../../contract/console/apps.ts'
import { starsOf } from '../../model/decimal.ts'
import { STORES, type Store } from '../../model/vocabulary.ts'
import type { FoundApps as SearchResult } from '../../operations/apps/find-apps.ts'
import type { Operations } from '../../operations/operations.ts'
import type { AppReport } from '../../storage/port/reports.ts'
import { notFound } from '../add-routes.ts'
import { type Route, route } from '../route.ts'
import { presentAppPage } from './app-page.ts'
import { worstHealth } from './feed-health.ts'
import { ZoneParam } from './zone-param.ts'

export type AppRouteDeps = { readonly operations: Pick<Operations, 'apps'> }

const DAYS = ['7', '30', '90', '365'] as const
const PageQuery = z.object({
  days: z.enum(DAYS, { error: `days: one of ${DAYS.join(', ')}` }).default('30'),
  zone: ZoneParam,
})

export function appRoutes({ operations }: AppRouteDeps): Route[] {
  const { apps } = operations
  return [
    route({
      method: 'GET',
      path: '/apps',
      run: async ({ caller }) => (await apps.list(caller.accountId)).map(presentApp),
    }),

    route({
      method: 'GET',
      path: '/apps/find',
      query: FindAppQuery,
      async run({ caller, query }): Promise<FoundApps> {
        const { apps: found, problems } = await apps.find(caller.accountId, query)
        return { apps: found.map(presentFound), problems }
      },
    }),

    route({
      method: 'GET',
      path: '/apps/:store/:appId',
      query: PageQuery,
      async run({ caller, param, query }) {
        const app = { store: storeOf(param('store')), appId: param('appId') }
        const detail = await apps.get(caller.accountId, app, Number(query.days), query.zone)
        return presentAppPage(detail, presentApp(detail))
      },
    }),

    route({
      method: 'PUT',
      path: '/apps/:store/:appId',
      body: TrackBody,
      run: ({ caller, param, body }) =>
        apps.track(
          caller.accountId,
          { store: storeOf(param('store')), appId: param('appId') },
          body.storefronts,
        ),
    }),
  ]
}

export function storeOf(text: string): Store {
  const store = STORES.find((each) => each === text)
  if (store === undefined) throw notFound()
  return store
}

function presentFound(app: SearchResult['apps'][number]): FoundApp {
  const { store, appId, name, developer, iconUrl, rating } = app
  return {
    store,
    appId,
    name,
    developer,
    iconUrl,
    rating: rating === null ? null : starsOf(rating.micros),
    ratingCount: rating?.count ?? null,
  }
}

function presentApp(app: AppReport): AppLine {
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
