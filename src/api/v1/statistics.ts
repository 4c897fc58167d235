import type { Routes } from '../../contract/routes.ts'
import { starsOf } from '../../model/decimal.ts'
import type { Operations } from '../../operations/operations.ts'
import { numbersOf } from '../page.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'
import { presentStatistics } from './statistics-view.ts'

export type StatisticsRouteDeps = { readonly operations: Pick<Operations, 'statistics'> }

export function statisticsRoutes(table: Routes, { operations: { statistics } }: StatisticsRouteDeps) {
  return {
    list_ratings: apiRoute(table.list_ratings, async ({ caller, query }) => {
      const { store, app_id, country, since, until, cursor, limit } = query
      const [observedAtMs, feedId] = cursor === undefined ? [] : numbersOf(cursor)
      const before = observedAtMs === undefined || feedId === undefined ? null : { observedAtMs, feedId }
      const filter = { storefront: country, since, until }
      const app = { store, appId: app_id }
      const page = await statistics.ratings(caller.accountId, app, filter, { limit, before })
      return {
        data: page.ratings.map(({ storefront, observedAt, rating }) => ({
          store,
          app_id,
          country: storefront,
          observed_at: observedAt.toISOString(),
          rating: starsOf(rating.micros),
          rating_count: rating.count,
        })),
        next_cursor: page.next === null ? null : `${page.next.observedAtMs}.${page.next.feedId}`,
      }
    }),

    get_statistics: apiRoute(table.get_statistics, async ({ caller, query }) => {
      const { app_id, country, app_version, interval, ...filter } = query
      const found = await statistics.ofReviews(caller.accountId, {
        ...filter,
        appId: app_id,
        storefront: country,
        version: app_version,
      })
      return presentStatistics(found, interval)
    }),
  } as const satisfies Record<string, Route>
}
