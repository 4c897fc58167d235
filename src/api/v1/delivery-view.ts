import type { DeliveryRow, DeliverySubject } from '../../contract/v1/deliveries.ts'
import type { WebhookEvent } from '../../contract/webhook.ts'
import type { WatchedApp } from '../../operations/apps/apps.ts'
import type { DeliveryView } from '../../operations/deliveries.ts'
import type { Operations } from '../../operations/operations.ts'

/** Deliveries for display, with the names of apps and the storefronts of rating drops. */
export async function presentDeliveries(
  { apps, deliveries }: Pick<Operations, 'apps' | 'deliveries'>,
  accountId: string,
  views: readonly DeliveryView[],
): Promise<DeliveryRow[]> {
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
): DeliveryRow {
  // The service wrote it, so it is an event of the contract.
  const event = JSON.parse(view.body) as WebhookEvent
  return {
    event_id: view.eventId,
    occurrence_id: view.occurrenceId,
    event_type: view.eventType,
    subject: subjectOf(event, storefronts.get(view.occurrenceId) ?? null),
    store: view.store,
    app_id: view.appId,
    app_name: nameOf(view, watched),
    hook_id: view.hookId,
    hook_name: view.hookName,
    target_type: view.targetType,
    target_url: view.targetUrl,
    status: view.status === 'pending' && view.hookStatus === 'paused' ? 'held' : view.status,
    attempts: view.attempts,
    created_at: view.createdAt.toISOString(),
    due_at: view.dueAt?.toISOString() ?? null,
    delivered_at: view.deliveredAt?.toISOString() ?? null,
    dead_at: view.deadAt?.toISOString() ?? null,
    dead_reason: view.deadReason,
    last_http_status: view.lastHttpStatus,
    last_reason: view.lastReason,
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
