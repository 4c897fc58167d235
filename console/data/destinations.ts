import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Changed, RecoverableView, RecoveryStarted } from '../../src/contract/console/deliveries.ts'
import type {
  DestinationLine,
  DestinationPage,
  SecretShown,
  TestSent,
  WatchBody,
  WatchPreview,
} from '../../src/contract/console/destinations.ts'
import { request } from './request.ts'

export const destinationsQuery = queryOptions({
  queryKey: ['destinations'],
  queryFn: ({ signal }) => request<DestinationLine[]>('GET', '/destinations', { signal }),
})

export function destinationQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', id],
    queryFn: ({ signal }) => request<DestinationPage>('GET', of(id), { signal }),
  })
}

export function previewQuery(watch: WatchBody | null) {
  return queryOptions({
    queryKey: ['preview', watch],
    queryFn: ({ signal }) => request<WatchPreview>('POST', '/watches/preview', { body: watch, signal }),
    enabled: watch !== null,
    placeholderData: (before) => before,
    retry: false,
  })
}

export function recoverableQuery(id: string, since: string) {
  return queryOptions({
    queryKey: ['destination', id, 'recovery', since],
    queryFn: ({ signal }) =>
      request<RecoverableView>('GET', `${of(id)}/recovery`, { query: { since }, signal }),
    retry: false,
  })
}

/** Returns a function that reloads the destination's page and the lists after a change. */
export function useDestinationChanged(id: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries({ queryKey: ['destination', id] })
    await queryClient.invalidateQueries({ queryKey: ['destinations'] })
    await queryClient.invalidateQueries({ queryKey: ['inbox'] })
  }
}

type Texts = { readonly name?: string; readonly description?: string }

/** The only response that contains the secret. */
export type CreatedDestination = DestinationLine & SecretShown

export const destinations = {
  create: (body: Texts & { readonly targetUrl: string; readonly watch?: WatchBody }) =>
    request<CreatedDestination>('POST', '/destinations', { body }),
  change: (
    id: string,
    body: Texts & { readonly targetUrl?: string; readonly ratePerSecond?: number | null },
  ) => request<DestinationLine>('PATCH', of(id), { body }),
  remove: (id: string) => request<void>('DELETE', of(id)),
  pause: (id: string) => request<DestinationLine>('POST', `${of(id)}/pause`, { body: {} }),
  resume: (id: string) => request<DestinationLine>('POST', `${of(id)}/resume`, { body: {} }),
  rotate: (id: string, overlapHours: number) =>
    request<SecretShown>('POST', `${of(id)}/rotate`, { body: { overlapHours } }),
  revokeOld: (id: string) => request<void>('POST', `${of(id)}/revoke-old`, { body: {} }),
  test: (id: string, eventType: string) =>
    request<TestSent>('POST', `${of(id)}/test`, { body: { eventType } }),
  retryPending: (id: string) => request<Changed>('POST', `${of(id)}/retry`, { body: {} }),
  recover: (
    id: string,
    body: { readonly since: string; readonly delivered: boolean; readonly ratePerSecond: number },
  ) => request<RecoveryStarted>('POST', `${of(id)}/recovery`, { body }),
  addWatch: (id: string, body: WatchBody) => request<DestinationLine>('POST', `${of(id)}/watches`, { body }),
  changeWatch: (id: string, watchId: string, body: WatchBody) =>
    request<DestinationLine>('PUT', `${of(id)}/watches/${encodeURIComponent(watchId)}`, { body }),
  removeWatch: (id: string, watchId: string) =>
    request<DestinationLine>('DELETE', `${of(id)}/watches/${encodeURIComponent(watchId)}`),
} as const

function of(id: string): string {
  return `/destinations/${encodeURIComponent(id)}`
}
