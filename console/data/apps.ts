import { queryOptions } from '@tanstack/react-query'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { FoundApps, TrackedApp } from '../../src/contract/v1/apps.ts'
import type { AtomFeedView, CreatedAtomFeed } from '../../src/contract/v1/atom-feeds.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'
import type { VersionFacts } from '../util/app-versions.ts'
import { ZONE } from '../util/locale.ts'
import { request } from './request.ts'
import type { APP_RANGES } from './search.ts'

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: ({ signal }) => request<TrackedApp[]>('GET', '/v1/tracked-apps', { signal }),
})

const DAYS_DEFAULT = 30
/** Versions are those of the last year's reviews, since their first review of the last two. */
const VERSION_DAYS = 365

/** The time range of an app's page. */
export function daysOf({ days }: { readonly days?: (typeof APP_RANGES)[number] | undefined }): number {
  return days === undefined ? DAYS_DEFAULT : Number(days)
}

export function appQuery(store: string, appId: string, days: number) {
  return queryOptions({
    queryKey: ['app', store, appId, days],
    queryFn: ({ signal }) =>
      request<AppPage>('GET', `/console/apps${appPath(store, appId)}`, {
        query: { days, zone: ZONE },
        signal,
      }),
    // While another range loads, the page keeps the figures of this app, never those of another app.
    placeholderData: (before) =>
      before?.app.store === store && before.app.app_id === appId ? before : undefined,
  })
}

/**
 * The versions of an app. The key is none of live updates: it asks for a year of figures, and a new version is not urgent.
 */
export function appVersionsQuery(store: string, appId: string) {
  return queryOptions({
    queryKey: ['appVersions', store, appId],
    queryFn: async ({ signal }): Promise<VersionFacts> => {
      const { versions, releases } = await request<AppPage>('GET', `/console/apps${appPath(store, appId)}`, {
        query: { days: VERSION_DAYS, zone: ZONE },
        signal,
      })
      return { versions, releases }
    },
    staleTime: 10 * 60_000,
  })
}

export function findQuery(q: string, country: string) {
  return queryOptions({
    queryKey: ['find', q, country],
    queryFn: ({ signal }) => request<FoundApps>('GET', '/v1/apps/search', { query: { q, country }, signal }),
    enabled: q.trim().length >= 2,
    staleTime: 5 * 60_000,
    retry: false,
  })
}

/** Of all apps of the account. */
export const atomFeedsQuery = queryOptions({
  queryKey: ['atom-feeds'],
  queryFn: ({ signal }) => request<AtomFeedView[]>('GET', '/v1/atom-feeds', { signal }),
})

type App = Pick<TrackedApp, 'store' | 'app_id'>

export const atomFeeds = {
  create: ({ store, app_id }: App) =>
    request<CreatedAtomFeed>('POST', '/v1/atom-feeds', { body: { store, app_id } }),
  revoke: (id: string) => request<void>('DELETE', `/v1/atom-feeds/${encodeURIComponent(id)}`),
}

/** Tracks the app in exactly these storefronts, at least one. */
export function trackStorefronts({ store, app_id }: App, countries: readonly Storefront[]): Promise<void> {
  return request('PUT', `/v1/tracked-apps${appPath(store, app_id)}`, { body: { countries } })
}

/** Stops tracking the app, and with `remove` removes it from the subscriptions of destinations of the console. */
export function untrack({ store, app_id }: App, watches: 'keep' | 'remove'): Promise<void> {
  return request('DELETE', `/v1/tracked-apps${appPath(store, app_id)}`, { query: { watches } })
}

function appPath(store: string, appId: string): string {
  return `/${encodeURIComponent(store)}/${encodeURIComponent(appId)}`
}
