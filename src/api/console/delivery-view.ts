import type { z } from 'zod'
import type {
  DeliveriesQuery,
  DeliveryFilterQuery,
  DeliveryLine,
  DeliverySubject,
} from '../../contract/console/deliveries.ts'
import type { WebhookEvent } from '../../contract/webhook.ts'
import type { DeliveryListFilter } from '../../operations/deliveries.ts'
import type { Operations } from '../../operations/operations.ts'
import type { DeadFilter } from '../../storage/port/dead-letters.ts'
import type { DeliveryView } from '../../storage/port/deliveries.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'
import { pageBySeq } from '../page.ts'
import { dateOf } from './review-routes.ts'

export function deliveryFilterOf({ status, ...query }: DeliveryFilterQuery): DeliveryListFilter {
  return status === undefined ? deadFilterOf(query) : { ...deadFilterOf(query), status }
}

/** Absent fields are left out, because a replay stores the filter as JSON. */
export function deadFilterOf(query: Omit<DeliveryFilterQuery, 'status'>): DeadFilter {
  const { destination, since, until, ...rest } = query
  const given = { ...rest, hookId: destination, since: dateOf(since), until: dateOf(until) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** One page and the cursor of the next. */
export async function pageOf<Line>(
  list: (page: { readonly limit: number; readonly last: number | null }) => Promise<DeliveryView[]>,
  { cursor, limit }: Pick<z.infer<typeof DeliveriesQuery>, 'cursor' | 'limit'>,
  present: (views: readonly DeliveryView[]) => Promise<Line[]>,
): Promise<{ readonly deliveries: readonly Line[]; readonly next: string | null }> {
  const last = cursor === undefined ? null : Number(cursor)
  const { rows, next } = await pageBySeq((rowsMax) => list({ limit: rowsMax, last }), limit)
  return { deliveries: await present(rows), next }
}

/** Deliveries for display, with the names of apps and the storefronts of rating drops. */
export async function presentDeliveries(
  { apps, deliveries }: Pick<Operations, 'apps' | 'deliveries'>,
  accountId: string,
  views: readonly DeliveryView[],
): Promise<DeliveryLine[]> {
  const [watched, storefronts] = await Promise.all([
    apps.storefronts(accountId),
    deliveries.storefronts(views),
  ])
  return views.map((view) => presentDelivery(view, watched, storefronts))
}

function presentDelivery(
  view: DeliveryView,
  watched: readonly WatchedApp[],
  storefronts: ReadonlyMap<string, string>,
): DeliveryLine {
  // The service wrote it, so it is an event of the contract.
  const event = JSON.parse(view.body) as WebhookEvent
  return {
    eventId: view.eventId,
    occurrenceId: view.occurrenceId,
    eventType: view.eventType,
    subject: subjectOf(event, storefronts.get(view.occurrenceId) ?? null),
    store: view.store,
    appId: view.appId,
    appName: nameOf(view, watched),
    hookId: view.hookId,
    name: view.hookName,
    targetType: view.targetType,
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

/** The length of an excerpt that fits on a line of the list. */
const EXCERPT_CHARS = 120

/** `storefront`: where the rating was observed, which is not part of its event; null when unknown. */
export function subjectOf(event: WebhookEvent, storefront: string | null): DeliverySubject {
  if (event.event_type === 'reviews.spiked') {
    const { review_count: count, countries } = event
    return { kind: 'spike', count, country: countries.length === 1 ? (countries[0] ?? null) : null }
  }
  if (event.event_type !== 'review.created') {
    const { previous_rating: previous, current_rating: current } = event
    return { kind: 'rating', previous, current, country: storefront }
  }
  const text = event.body ?? ''
  const excerpt = text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS).trimEnd()}…` : text
  return { kind: 'review', rating: event.rating, title: event.title ?? excerpt, country: event.country }
}

/** The name of the app of an event; null until a store has reported it. */
export function nameOf(
  app: { readonly store: string; readonly appId: string },
  watched: readonly WatchedApp[],
): string | null {
  return watched.find(({ store, appId }) => store === app.store && appId === app.appId)?.name ?? null
}
