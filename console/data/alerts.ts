import { queryOptions } from '@tanstack/react-query'
import type { AlertsBody, AlertsPage, AlertsSaved } from '../../src/contract/console/alerts.ts'
import type { SecretShown } from '../../src/contract/console/destinations.ts'
import { request } from './request.ts'

/** Reload interval while an alert is pending. */
const PENDING_REFRESH_MS = 2_000

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => request<AlertsPage>('GET', '/console/alerts', { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.recent.some(({ status }) => status === 'pending') === true && PENDING_REFRESH_MS,
})

export const alerts = {
  save: (body: AlertsBody) => request<AlertsSaved>('PUT', '/console/alerts', { body }),
  newSecret: () => request<SecretShown>('POST', '/console/alerts/secret', { body: {} }),
  test: () => request<void>('POST', '/console/alerts/test', { body: {} }),
} as const
