import { queryOptions } from '@tanstack/react-query'
import type { AppLine, AppPage, FoundApps } from '../../src/contract/console/apps.ts'
import { request } from './request.ts'

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: ({ signal }) => request<AppLine[]>('GET', '/apps', { signal }),
})

export function appQuery(store: string, appId: string, days: number) {
  return queryOptions({
    queryKey: ['app', store, appId, days],
    queryFn: ({ signal }) => request<AppPage>('GET', appPath(store, appId), { query: { days }, signal }),
    // Another time of the same app; another app's figures under its name would be a lie.
    placeholderData: (before) => (before?.store === store && before.appId === appId ? before : undefined),
  })
}

export function findQuery(text: string, storefront: string) {
  return queryOptions({
    queryKey: ['find', text, storefront],
    queryFn: ({ signal }) => request<FoundApps>('GET', '/apps/find', { query: { text, storefront }, signal }),
    enabled: text.trim().length >= 2,
    staleTime: 5 * 60_000,
    retry: false,
  })
}

/** The ticked storefronts become these; none stops following. */
export async function follow(app: {
  readonly store: string
  readonly appId: string
  readonly storefronts: readonly string[]
}): Promise<void> {
  await request('PUT', appPath(app.store, app.appId), { body: { storefronts: app.storefronts } })
}

function appPath(store: string, appId: string): string {
  return `/apps/${encodeURIComponent(store)}/${encodeURIComponent(appId)}`
}
