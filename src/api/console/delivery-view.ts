import type { z } from 'zod'
import type { DeliveriesQuery, DeliveryFilterQuery, DeliveryLine } from '../../contract/console/deliveries.ts'
import type { DeliveryListFilter } from '../../operations/deliveries.ts'
import type { DeadFilter } from '../../storage/port/dead-letters.ts'
import type { DeliveryView, Page } from '../../storage/port/deliveries.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'
import { dateOf } from './review-routes.ts'

export function deliveryFilterOf({ status, ...query }: DeliveryFilterQuery): DeliveryListFilter {
  return status === undefined ? deadFilterOf(query) : { ...deadFilterOf(query), status }
}

/** Without absent fields: a stored replay keeps the filter as JSON. */
export function deadFilterOf(query: Omit<DeliveryFilterQuery, 'status'>): DeadFilter {
  const { destination, since, until, ...rest } = query
  const given = { ...rest, hookId: destination, since: dateOf(since), until: dateOf(until) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** One page and the cursor of the next. Reads one row more than it shows, to know whether there is a next page. */
export async function pageOf<Line>(
  list: (page: Page) => Promise<DeliveryView[]>,
  { cursor, limit }: Pick<z.infer<typeof DeliveriesQuery>, 'cursor' | 'limit'>,
  present: (view: DeliveryView) => Line,
): Promise<{ readonly deliveries: readonly Line[]; readonly next: string | null }> {
  const views = await list({ limit: limit + 1, before: cursor === undefined ? null : Number(cursor) })
  const shown = views.slice(0, limit)
  const last = shown.at(-1)
  return {
    deliveries: shown.map(present),
    next: views.length > limit && last !== undefined ? String(last.seq) : null,
  }
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
