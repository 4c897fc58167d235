import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { AttemptView } from '../../src/contract/attempt.ts'
import type {
  CreatedDestination,
  DestinationBody,
  DestinationLine,
  DestinationPage,
  MessagePreview,
  MessagePreviewBody,
  WatchPreview,
} from '../../src/contract/console/destinations.ts'
import type { HookChangeBody, HookDetail } from '../../src/contract/hook.ts'
import type { BulkResult } from '../../src/contract/v1/bulk.ts'
import type {
  NewSecret,
  RecoverableView,
  RecoveryStarted,
  Retried,
} from '../../src/contract/v1/hook-actions.ts'
import type { FormattedTargetType } from '../../src/model/target.ts'
import type { EventType } from '../../src/model/vocabulary.ts'
import type { SubscriptionBody, SubscriptionKind } from '../util/subscriptions.ts'
import { request } from './request.ts'

export const destinationsQuery = queryOptions({
  queryKey: ['destinations'],
  queryFn: ({ signal }) => request<DestinationLine[]>('GET', '/console/destinations', { signal }),
})

export function destinationQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', id],
    queryFn: ({ signal }) =>
      request<DestinationPage>('GET', `/console/destinations/${encodeURIComponent(id)}`, { signal }),
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
export function messagePreviewQuery(targetType: FormattedTargetType, eventType: EventType) {
  return queryOptions({
    queryKey: ['message preview', targetType, eventType],
    queryFn: ({ signal }) =>
      request<MessagePreview>('POST', '/console/destinations/preview', {
        body: { target_type: targetType, event_type: eventType } satisfies MessagePreviewBody,
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
      request<RecoverableView>('GET', `${hook(id)}/recovery`, { query: { since }, signal }),
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

export const destinations = {
  create: (body: DestinationBody) => request<CreatedDestination>('POST', '/console/destinations', { body }),
  change: (id: string, body: HookChangeBody) => request<HookDetail>('PATCH', hook(id), { body }),
  previewMessage: (
    targetType: FormattedTargetType,
    eventType: EventType,
    targetSettings: Record<string, unknown>,
  ) =>
    request<MessagePreview>('POST', '/console/destinations/preview', {
      body: {
        target_type: targetType,
        event_type: eventType,
        target_settings: targetSettings,
      } satisfies MessagePreviewBody,
    }),
  remove: (id: string) => request<void>('DELETE', hook(id)),
  pause: (id: string) => setStatus(id, 'paused'),
  resume: (id: string) => setStatus(id, 'active'),
  subscribeRecipient: (id: string, recipient: string) =>
    request<void>(
      'POST',
      `/console/destinations/${encodeURIComponent(id)}/recipients/${encodeURIComponent(recipient)}/subscribe`,
    ),
  rotate: (id: string, overlapHours: number) =>
    request<NewSecret>('POST', `${hook(id)}/secret`, { body: { overlap_hours: overlapHours } }),
  revokeOld: (id: string) => request<void>('DELETE', `${hook(id)}/old-secrets`),
  bulk: (hook_ids: readonly string[], action: BulkAction) =>
    action === 'retry'
      ? request<BulkResult>('POST', '/v1/retries/hooks', { body: { hook_ids } })
      : request<BulkResult>('PUT', '/v1/hook-statuses', {
          body: { hook_ids, status: action === 'pause' ? 'paused' : 'active' },
        }),
  test: (id: string, eventType: string) =>
    request<AttemptView>('POST', `${hook(id)}/test`, {
      query: { event_type: eventType },
    }),
  retryPending: (id: string) => request<Retried>('POST', `${hook(id)}/retry`),
  recover: (
    id: string,
    body: { readonly since: string; readonly delivered: boolean; readonly rate_per_second: number },
  ) => request<RecoveryStarted>('POST', `${hook(id)}/recovery`, { body }),
  subscribe: (id: string, subscription: SubscriptionBody) => {
    const { kind, body } = partsOf(subscription)
    return request('POST', `${hook(id)}/${kind}`, { body })
  },
  /** One request also changes a subscription of one app to several apps, and back. */
  changeSubscription: (
    id: string,
    stored: { readonly id: string; readonly kind: SubscriptionKind },
    subscription: SubscriptionBody,
  ) => {
    const { kind, body } = partsOf(subscription)
    const rest = `/${encodeURIComponent(stored.id)}`
    if (kind === stored.kind) return request('PUT', `${hook(id)}/${kind}${rest}`, { body })
    const become = kind === 'watches' ? 'watch' : 'watch-set'
    return request('PUT', `${hook(id)}/${stored.kind}${rest}/${become}`, { body })
  },
  unsubscribe: (id: string, kind: SubscriptionKind, subscriptionId: string) =>
    request<void>('DELETE', `${hook(id)}/${kind}/${encodeURIComponent(subscriptionId)}`),
} as const

export type BulkAction = 'pause' | 'resume' | 'retry'

function setStatus(id: string, status: 'active' | 'paused') {
  return request<HookDetail>('PUT', `${hook(id)}/status`, { body: { status } })
}

function hook(id: string): string {
  return `/v1/hooks/${encodeURIComponent(id)}`
}

function partsOf(subscription: SubscriptionBody | null) {
  if (subscription !== null && 'watch_set' in subscription) {
    return { kind: 'watch-sets', body: subscription.watch_set } as const
  }
  return { kind: 'watches', body: subscription?.watch } as const
}
