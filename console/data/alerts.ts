import { queryOptions } from '@tanstack/react-query'
import type { AlertSettings, AlertsPage, AlertsSaved } from '../../src/contract/v1/alerts.ts'
import type { NewSecret } from '../../src/contract/v1/hook-actions.ts'
import { request } from './request.ts'

/** Reload interval while an alert is pending. */
const PENDING_REFRESH_MS = 2_000

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => request<AlertsPage>('GET', '/v1/alerts', { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.recent.some(({ status }) => status === 'pending') === true && PENDING_REFRESH_MS,
})

export const alerts = {
  save: (body: AlertSettings) => request<AlertsSaved>('PUT', '/v1/alerts', { body }),
  newSecret: () => request<NewSecret>('POST', '/v1/alerts/secret'),
  test: () => request<void>('POST', '/v1/alerts/test'),
  ask: (email: string) => request<void>('POST', '/v1/alerts/ask', { body: { email } }),
} as const
