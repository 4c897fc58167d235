import { queryOptions } from '@tanstack/react-query'
import type {
  AppLine,
  AppPage,
  AtomFeedLine,
  CreatedAtomFeed,
  FoundApps,
} from '../../src/contract/console/apps.ts'
import { ZONE } from '../util/locale.ts'
import { request } from './request.ts'
import type { APP_RANGES } from './search.ts'

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: ({ signal }) => request<AppLine[]>('GET', '/console/apps', { signal }),
})

const DAYS_DEFAULT = 30

/** The time range of an app's page. */
export function daysOf({ days }: { readonly days?: (typeof APP_RANGES)[number] | undefined }): number {
  return days === undefined ? DAYS_DEFAULT : Number(days)
}

export function appQuery(store: string, appId: string, days: number) {
  return queryOptions({
    queryKey: ['app', store, appId, days],
    queryFn: ({ signal }) =>
      request<AppPage>('GET', appPath(store, appId), { query: { days, zone: ZONE }, signal }),
    // While another range loads, the page keeps the figures of this app, never those of another app.
    placeholderData: (before) => (before?.store === store && before.appId === appId ? before : undefined),
  })
}

export function findQuery(text: string, storefront: string) {
  return queryOptions({
    queryKey: ['find', text, storefront],
    queryFn: ({ signal }) =>
      request<FoundApps>('GET', '/console/apps/find', { query: { text, storefront }, signal }),
    enabled: text.trim().length >= 2,
    staleTime: 5 * 60_000,
    retry: false,
  })
}

export function atomFeedsQuery(store: string, appId: string) {
  return queryOptions({
    queryKey: ['atom-feeds', store, appId],
    queryFn: ({ signal }) =>
      request<AtomFeedLine[]>('GET', `${appPath(store, appId)}/atom-feeds`, { signal }),
  })
}

export const atomFeeds = {
  create: ({ store, appId }: { readonly store: string; readonly appId: string }) =>
    request<CreatedAtomFeed>('POST', `${appPath(store, appId)}/atom-feeds`),
  revoke: (id: string) => request<void>('DELETE', `/console/atom-feeds/${encodeURIComponent(id)}`),
}

/** Tracks the app in exactly these storefronts. An empty list stops tracking. */
export async function trackStorefronts(app: {
  readonly store: string
  readonly appId: string
  readonly storefronts: readonly string[]
}): Promise<void> {
  await request('PUT', appPath(app.store, app.appId), { body: { storefronts: app.storefronts } })
}

function appPath(store: string, appId: string): string {
  return `/console/apps/${encodeURIComponent(store)}/${encodeURIComponent(appId)}`
}
