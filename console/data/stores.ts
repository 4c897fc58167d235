import { queryOptions } from '@tanstack/react-query'
import type {
  ConnectionChangeBody,
  ConnectionLine,
  CredentialsBody,
  NewConnectionBody,
} from '../../src/contract/console/connections.ts'
import { request } from './request.ts'

const HISTORY_REFRESH_MS = 2_000

export const storesQuery = queryOptions({
  queryKey: ['stores'],
  queryFn: ({ signal }) => request<ConnectionLine[]>('GET', '/console/stores', { signal }),
  // Shows the progress of an import.
  refetchInterval: ({ state }) =>
    state.data?.some(({ apps }) => apps.some(({ history }) => history?.state === 'running')) === true
      ? HISTORY_REFRESH_MS
      : false,
})

const path = (id: string) => `/console/stores/${encodeURIComponent(id)}`

export const stores = {
  connect: (body: NewConnectionBody) => request<ConnectionLine>('POST', '/console/stores', { body }),
  test: (id: string) => request<ConnectionLine>('POST', `${path(id)}/test`),
  rotate: (id: string, body: CredentialsBody) =>
    request<ConnectionLine>('PUT', `${path(id)}/credentials`, { body }),
  change: (id: string, body: ConnectionChangeBody) => request<ConnectionLine>('PATCH', path(id), { body }),
  takeReviews: (id: string, appId: string) =>
    request<ConnectionLine>('PUT', `${path(id)}/apps/${encodeURIComponent(appId)}`),
  leaveReviews: (id: string, appId: string) =>
    request<ConnectionLine>('DELETE', `${path(id)}/apps/${encodeURIComponent(appId)}`),
  importHistory: (id: string, appId: string) =>
    request<ConnectionLine>('PUT', `${path(id)}/apps/${encodeURIComponent(appId)}/history`),
  stopHistory: (id: string, appId: string) =>
    request<ConnectionLine>('DELETE', `${path(id)}/apps/${encodeURIComponent(appId)}/history`),
  remove: (id: string) => request<void>('DELETE', path(id)),
} as const
