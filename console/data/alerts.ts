import { queryOptions } from '@tanstack/react-query'
import type { AlertsBody, AlertsPage, AlertsSaved } from '../../src/contract/console/alerts.ts'
import type { SecretShown } from '../../src/contract/console/destinations.ts'
import { request } from './request.ts'

/** While an alert is on its way. */
const ON_ITS_WAY_MS = 2_000

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => request<AlertsPage>('GET', '/alerts', { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.recent.some(({ status }) => status === 'pending') === true && ON_ITS_WAY_MS,
})

export const alerts = {
  save: (body: AlertsBody) => request<AlertsSaved>('PUT', '/alerts', { body }),
  newSecret: () => request<SecretShown>('POST', '/alerts/secret', { body: {} }),
  test: () => request<void>('POST', '/alerts/test', { body: {} }),
} as const
