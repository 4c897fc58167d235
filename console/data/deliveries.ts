import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BulkResult } from '../../src/contract/v1/bulk.ts'
import type { DeadCount, ReplayView } from '../../src/contract/v1/dead-letters.ts'
import type { DeliveryDetail, DeliveryPage, DeliveryRow } from '../../src/contract/v1/deliveries.ts'
import { downloadUrl, RequestFailed, request } from './request.ts'
import type { DeadSearch, DeliverySearch } from './search.ts'

const pathOf = (eventId: string) => `/v1/deliveries/${encodeURIComponent(eventId)}`

export function deliveriesQuery({ event_id, ...filters }: DeliverySearch) {
  return infiniteQueryOptions({
    queryKey: ['deliveries', event_id, filters],
    queryFn: ({ pageParam, signal }) =>
      event_id === undefined
        ? request<DeliveryPage>('GET', '/v1/deliveries', { query: { ...filters, cursor: pageParam }, signal })
        : pageWith(event_id, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** The delivery of one event as a list; empty without one. */
async function pageWith(eventId: string, signal: AbortSignal): Promise<DeliveryPage> {
  try {
    return { data: [await request<DeliveryDetail>('GET', pathOf(eventId), { signal })], next_cursor: null }
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return { data: [], next_cursor: null }
    throw error
  }
}

export function deadLettersQuery(filters: DeadSearch) {
  return infiniteQueryOptions({
    queryKey: ['dead', filters],
    queryFn: ({ pageParam, signal }) =>
      request<DeliveryPage>('GET', '/v1/dead-letters', { query: { ...filters, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function deliveryQuery(eventId: string) {
  return queryOptions({
    queryKey: ['delivery', eventId],
    queryFn: ({ signal }) => request<DeliveryDetail>('GET', pathOf(eventId), { signal }),
  })
}

export function deadCountQuery(filters: DeadSearch) {
  return queryOptions({
    queryKey: ['dead', 'count', filters],
    queryFn: ({ signal }) => request<DeadCount>('GET', '/v1/dead-letters/count', { query: filters, signal }),
  })
}

/** Reload intervals of a running replay, and of a finished one with deliveries in flight. */
const RUNNING_REFRESH_MS = 1_000
const IN_FLIGHT_REFRESH_MS = 2_000

export const replaysQuery = queryOptions({
  queryKey: ['replays'],
  queryFn: ({ signal }) => request<ReplayView[]>('GET', '/v1/replays', { signal }),
  refetchInterval: ({ state: { data = [] } }) => {
    if (data.some(({ status }) => status === 'running')) return RUNNING_REFRESH_MS
    return (
      data.some(({ queued, delivered, dead_again }) => queued > delivered + dead_again) &&
      IN_FLIGHT_REFRESH_MS
    )
  },
})

export const deliveries = {
  retryEach: (event_ids: readonly string[]) =>
    request<BulkResult>('POST', '/v1/retries/deliveries', { body: { event_ids } }),
  retry: (eventId: string) => request<DeliveryRow>('POST', `${pathOf(eventId)}/retry`),
  resend: (eventId: string) => request<DeliveryRow>('POST', `${pathOf(eventId)}/resend`),
} as const

export const deadLetters = {
  /** Return the number of changed ones. */
  replay: async (event_ids: readonly string[]) =>
    (await request<{ replayed: number }>('POST', '/v1/dead-letters/replay', { body: { event_ids } }))
      .replayed,
  discard: async (event_ids: readonly string[]) =>
    (await request<{ discarded: number }>('POST', '/v1/dead-letters/discard', { body: { event_ids } }))
      .discarded,
  replayAll: (filter: DeadSearch, rate_per_second: number) =>
    request<ReplayView>('POST', '/v1/replays', { body: { filter, rate_per_second } }),
  setReplay: (id: string, status: 'running' | 'paused' | 'cancelled') =>
    request<ReplayView>('PUT', `/v1/replays/${encodeURIComponent(id)}`, { body: { status } }),
  exportUrl: (filters: DeadSearch) => downloadUrl('/v1/exports/dead-letters', filters),
} as const
