import type { DeliveryFilterQuery, DeliveryLine } from '../../contract/console/deliveries.ts'
import type { DeliveryFilter, DeliveryView } from '../../storage/port/deliveries.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'
import { dateOf } from './review-routes.ts'

/** The stored filter of a page's; `held` is for the caller to understand. */
export function deliveryFilterOf(query: DeliveryFilterQuery): DeliveryFilter {
  const { destination, since, until, status, ...rest } = query
  const given = {
    ...rest,
    hookId: destination,
    status: status === 'held' ? 'pending' : status,
    since: dateOf(since),
    until: dateOf(until),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

export function presentDelivery(view: DeliveryView, watched: readonly WatchedApp[]): DeliveryLine {
  const name = watched.find(({ store, appId }) => store === view.store && appId === view.appId)?.name
  return {
    eventId: view.eventId,
    occurrenceId: view.occurrenceId,
    eventType: view.eventType,
    store: view.store,
    appId: view.appId,
    appName: name ?? null,
    hookId: view.hookId,
    targetUrl: view.targetUrl,
    status: view.status === 'pending' && view.hookStatus === 'paused' ? 'held' : view.status,
    attempts: view.attempts,
    createdAt: view.createdAt.toISOString(),
    dueAt: view.dueAt?.toISOString() ?? null,
    deliveredAt: view.deliveredAt?.toISOString() ?? null,
    deadAt: view.deadAt?.toISOString() ?? null,
    deadReason: view.deadReason,
    lastHttpStatus: view.lastHttpStatus,
    lastReason: view.lastReason,
  }
}
