import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type {
  BulkResult,
  Changed,
  RecoverableView,
  RecoveryStarted,
} from '../../src/contract/console/deliveries.ts'
import type {
  DestinationLine,
  DestinationPage,
  DestinationsBulkBody,
  MessagePreview,
  MessageScheduleBody,
  SecretShown,
  TestSent,
  WatchPreview,
} from '../../src/contract/console/destinations.ts'
import type { RedirectRule } from '../../src/model/redirects.ts'
import type { FormattedTargetType } from '../../src/model/target.ts'
import type { SubscriptionBody, SubscriptionKind } from '../util/subscriptions.ts'
import { request } from './request.ts'

export const destinationsQuery = queryOptions({
  queryKey: ['destinations'],
  queryFn: ({ signal }) => request<DestinationLine[]>('GET', '/console/destinations', { signal }),
})

export function destinationQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', id],
    queryFn: ({ signal }) => request<DestinationPage>('GET', of(id), { signal }),
  })
}

export function previewQuery(subscription: SubscriptionBody | null) {
  return queryOptions({
    queryKey: ['preview', subscription],
    queryFn: ({ signal }) => {
      const { kind, body } = partsOf(subscription)
      return request<WatchPreview>('POST', `/console/${kind}/preview`, { body, signal })
    },
    enabled: subscription !== null,
    placeholderData: (before) => before,
    retry: false,
  })
}

/** What all messages of a type show of a sample event. */
export function messagePreviewQuery(targetType: FormattedTargetType, eventType: string) {
  return queryOptions({
    queryKey: ['message preview', targetType, eventType],
    queryFn: ({ signal }) =>
      request<MessagePreview>('POST', '/console/destinations/preview', {
        body: { targetType, eventType },
        signal,
      }),
    staleTime: Infinity,
    placeholderData: (before) => before,
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
    await queryClient.invalidateQueries({ queryKey: ['overview'] })
    await queryClient.invalidateQueries({ queryKey: ['inbox'] })
  }
}

type Settings = Readonly<Record<string, unknown>>

/** A webhook has a URL, every other type settings. */
type Target =
  | { readonly targetUrl: string }
  | { readonly targetType: FormattedTargetType; readonly targetSettings: Settings }

type Texts = { readonly name?: string; readonly description?: string }

/** The only response that contains the secret. */
export type CreatedDestination = DestinationLine & SecretShown

export const destinations = {
  create: (body: Texts & Target & SubscriptionBody & { readonly redirect?: RedirectRule }) =>
    request<CreatedDestination>('POST', '/console/destinations', { body }),
  change: (
    id: string,
    body: Texts & {
      readonly targetUrl?: string
      readonly targetSettings?: Settings
      readonly ratePerSecond?: number | null
      readonly cloudEvents?: boolean
      readonly redirect?: RedirectRule
      readonly messageSchedule?: MessageScheduleBody | null
    },
  ) => request<DestinationLine>('PATCH', of(id), { body }),
  previewMessage: (targetType: FormattedTargetType, eventType: string, targetSettings: Settings) =>
    request<MessagePreview>('POST', '/console/destinations/preview', {
      body: { targetType, eventType, targetSettings },
    }),
  remove: (id: string) => request<void>('DELETE', of(id)),
  pause: (id: string) => request<DestinationLine>('POST', `${of(id)}/pause`, { body: {} }),
  resume: (id: string) => request<DestinationLine>('POST', `${of(id)}/resume`, { body: {} }),
  subscribeRecipient: (id: string, recipient: string) =>
    request<DestinationLine>('POST', `${of(id)}/recipients/${encodeURIComponent(recipient)}/subscribe`, {
      body: {},
    }),
  rotate: (id: string, overlapHours: number) =>
    request<SecretShown>('POST', `${of(id)}/rotate`, { body: { overlapHours } }),
  revokeOld: (id: string) => request<void>('POST', `${of(id)}/revoke-old`, { body: {} }),
  bulk: (body: DestinationsBulkBody) => request<BulkResult>('POST', '/console/destinations/bulk', { body }),
  test: (id: string, eventType: string) =>
    request<TestSent>('POST', `${of(id)}/test`, { body: { eventType } }),
  retryPending: (id: string) => request<Changed>('POST', `${of(id)}/retry`, { body: {} }),
  recover: (
    id: string,
    body: { readonly since: string; readonly delivered: boolean; readonly ratePerSecond: number },
  ) => request<RecoveryStarted>('POST', `${of(id)}/recovery`, { body }),
  subscribe: (id: string, subscription: SubscriptionBody) => {
    const { kind, body } = partsOf(subscription)
    return request<DestinationLine>('POST', `${of(id)}/${kind}`, { body })
  },
  /** One request also changes a subscription of one app to several apps, and back. */
  changeSubscription: (
    id: string,
    stored: { readonly id: string; readonly kind: SubscriptionKind },
    subscription: SubscriptionBody,
  ) => {
    const { kind, body } = partsOf(subscription)
    const path = `${of(id)}/${stored.kind}/${encodeURIComponent(stored.id)}`
    const become = kind === 'watches' ? 'watch' : 'watch-set'
    return request<DestinationLine>('PUT', kind === stored.kind ? path : `${path}/${become}`, { body })
  },
  unsubscribe: (id: string, kind: SubscriptionKind, subscriptionId: string) =>
    request<DestinationLine>('DELETE', `${of(id)}/${kind}/${encodeURIComponent(subscriptionId)}`),
} as const

function of(id: string): string {
  return `/console/destinations/${encodeURIComponent(id)}`
}

function partsOf(subscription: SubscriptionBody | null) {
  if (subscription !== null && 'watchSet' in subscription) {
    return { kind: 'watch-sets', body: subscription.watchSet } as const
  }
  return { kind: 'watches', body: subscription?.watch } as const
}
