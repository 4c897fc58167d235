import { queryOptions } from '@tanstack/react-query'
import type {
  ConnectionChangeBody,
  CredentialsBody,
  NewConnectionBody,
  StoreConnectionView,
} from '../../src/contract/v1/store-connections.ts'
import { request } from './request.ts'

const HISTORY_REFRESH_MS = 2_000

export const storesQuery = queryOptions({
  queryKey: ['stores'],
  queryFn: ({ signal }) => request<StoreConnectionView[]>('GET', '/v1/store-connections', { signal }),
  // Shows the progress of an import.
  refetchInterval: ({ state }) =>
    state.data?.some(({ apps }) => apps.some(({ history }) => history?.state === 'running')) === true
      ? HISTORY_REFRESH_MS
      : false,
})

const path = (id: string) => `/v1/store-connections/${encodeURIComponent(id)}`

export const stores = {
  connect: (body: NewConnectionBody) =>
    request<StoreConnectionView>('POST', '/v1/store-connections', { body }),
  test: (id: string) => request<StoreConnectionView>('POST', `${path(id)}/test`),
  rotate: (id: string, body: CredentialsBody) =>
    request<StoreConnectionView>('PUT', `${path(id)}/credentials`, { body }),
  change: (id: string, body: ConnectionChangeBody) =>
    request<StoreConnectionView>('PATCH', path(id), { body }),
  takeReviews: (id: string, appId: string) =>
    request<StoreConnectionView>('PUT', `${path(id)}/apps/${encodeURIComponent(appId)}`),
  leaveReviews: (id: string, appId: string) =>
    request<StoreConnectionView>('DELETE', `${path(id)}/apps/${encodeURIComponent(appId)}`),
  importHistory: (id: string, appId: string) =>
    request<StoreConnectionView>('PUT', `${path(id)}/apps/${encodeURIComponent(appId)}/history`),
  stopHistory: (id: string, appId: string) =>
    request<StoreConnectionView>('DELETE', `${path(id)}/apps/${encodeURIComponent(appId)}/history`),
  remove: (id: string) => request<void>('DELETE', path(id)),
} as const
