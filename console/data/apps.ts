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
    placeholderData: (before) => before,
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

export type Following = {
  readonly store: string
  readonly appId: string
  readonly storefronts: readonly string[]
  readonly name?: string
  readonly developer?: string | null
  readonly iconUrl?: string | null
}

/** The ticked storefronts become these; none stops following. */
export async function follow({ store, appId, ...body }: Following): Promise<void> {
  await request('PUT', appPath(store, appId), { body })
}

function appPath(store: string, appId: string): string {
  return `/apps/${encodeURIComponent(store)}/${encodeURIComponent(appId)}`
}
