import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  BulkResult,
  Changed,
  DeadCount,
  DeliveriesPage,
  DeliveryPage,
  ReplayView,
} from '../../src/contract/console/deliveries.ts'
import { apiUrl, request } from './request.ts'
import type { DeadSearch, DeliverySearch } from './search.ts'

export function deliveriesQuery(filters: DeliverySearch, which: 'deliveries' | 'dead') {
  return infiniteQueryOptions({
    queryKey: [which, filters],
    queryFn: ({ pageParam, signal }) =>
      request<DeliveriesPage>('GET', `/console/${which}`, {
        query: { ...filters, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })
}

export function deliveryQuery(eventId: string) {
  return queryOptions({
    queryKey: ['delivery', eventId],
    queryFn: ({ signal }) =>
      request<DeliveryPage>('GET', `/console/deliveries/${encodeURIComponent(eventId)}`, { signal }),
  })
}

export function deadCountQuery(filters: DeadSearch) {
  return queryOptions({
    queryKey: ['dead', 'count', filters],
    queryFn: ({ signal }) => request<DeadCount>('GET', '/console/dead/count', { query: filters, signal }),
  })
}

/** Reload intervals of a running replay, and of a finished one with deliveries in flight. */
const RUNNING_REFRESH_MS = 1_000
const IN_FLIGHT_REFRESH_MS = 2_000

export const replaysQuery = queryOptions({
  queryKey: ['replays'],
  queryFn: ({ signal }) => request<ReplayView[]>('GET', '/console/dead/replays', { signal }),
  refetchInterval: ({ state: { data = [] } }) => {
    if (data.some(({ status }) => status === 'running')) return RUNNING_REFRESH_MS
    return (
      data.some(({ queued, delivered, deadAgain }) => queued > delivered + deadAgain) && IN_FLIGHT_REFRESH_MS
    )
  },
})

export const deliveries = {
  retryEach: (eventIds: readonly string[]) =>
    request<BulkResult>('POST', '/console/deliveries/retry', { body: { eventIds } }),
  retry: (eventId: string) =>
    request<Changed>('POST', `/console/deliveries/${encodeURIComponent(eventId)}/retry`, { body: {} }),
} as const

export const deadLetters = {
  replay: (eventIds: readonly string[]) =>
    request<Changed>('POST', '/console/dead/replay', { body: { eventIds } }),
  discard: (eventIds: readonly string[]) =>
    request<Changed>('POST', '/console/dead/discard', { body: { eventIds } }),
  replayAll: (filter: DeadSearch, ratePerSecond: number) =>
    request<ReplayView>('POST', '/console/dead/replays', { body: { filter, ratePerSecond } }),
  setReplay: (id: string, status: 'running' | 'paused' | 'cancelled') =>
    request<ReplayView>('POST', `/console/dead/replays/${encodeURIComponent(id)}`, { body: { status } }),
  resend: (eventId: string) =>
    request<Changed>('POST', `/console/deliveries/${encodeURIComponent(eventId)}/resend`, { body: {} }),
  exportUrl: (filters: DeadSearch) => apiUrl('/console/dead/export', filters),
} as const
