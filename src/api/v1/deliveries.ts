import type { Routes } from '../../contract/routes.ts'
import type { DeliveryFilterFields, DeliveryRow } from '../../contract/v1/deliveries.ts'
import type { DeliveryListFilter } from '../../operations/deliveries.ts'
import type { Operations } from '../../operations/operations.ts'
import type { DeadFilter } from '../../storage/port/dead-letters.ts'
import type { DeliveryView, Page } from '../../storage/port/deliveries.ts'
import { pageBySeq } from '../page.ts'
import type { Route } from '../route.ts'
import { presentRequest } from './attempt-view.ts'
import { numberOf } from './cursor.ts'
import { apiRoute } from './route.ts'

export type DeliveryRouteDeps = { readonly operations: Pick<Operations, 'deliveries' | 'recovery'> }

export function deliveryRoutes(
  table: Routes,
  { operations: { deliveries, recovery } }: DeliveryRouteDeps,
): Record<'list_deliveries' | 'get_delivery' | 'retry_delivery' | 'resend_delivery', Route> {
  return {
    list_deliveries: apiRoute(table.list_deliveries, ({ caller, query: { cursor, limit, ...query } }) =>
      pageOf((page) => deliveries.list(caller.accountId, listFilterOf(query), page), cursor, limit),
    ),

    get_delivery: apiRoute(table.get_delivery, async ({ caller, param }) => {
      const { delivery, attempts } = await deliveries.get(caller.accountId, param('event_id'))
      return {
        ...presentDelivery(delivery),
        body: delivery.body,
        history: attempts.map((attempt) => ({ number: attempt.number, ...presentRequest(attempt) })),
      }
    }),

    retry_delivery: apiRoute(table.retry_delivery, async ({ caller, param }) => {
      await recovery.retryNow(caller.accountId, param('event_id'))
      const { delivery } = await deliveries.get(caller.accountId, param('event_id'))
      return presentDelivery(delivery)
    }),

    resend_delivery: apiRoute(table.resend_delivery, async ({ caller, param }) => {
      await deliveries.resend(caller.accountId, param('event_id'))
      const { delivery } = await deliveries.get(caller.accountId, param('event_id'))
      return presentDelivery(delivery)
    }),
  }
}

function listFilterOf({ status, ...query }: DeliveryFilterFields): DeliveryListFilter {
  return status === undefined ? deadFilterOf(query) : { ...deadFilterOf(query), status }
}

/** Absent fields are left out, because a replay stores the filter as JSON. */
export function deadFilterOf(query: Omit<DeliveryFilterFields, 'status'>): DeadFilter {
  const { hook_id, app_id, event_type, http_status, ...rest } = query
  const given = { ...rest, hookId: hook_id, appId: app_id, eventType: event_type, httpStatus: http_status }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

export async function pageOf(
  list: (page: Page) => Promise<DeliveryView[]>,
  cursor: string | undefined,
  limit: number,
): Promise<{ data: DeliveryRow[]; next_cursor: string | null }> {
  const before = cursor === undefined ? null : numberOf(cursor)
  const { rows, next } = await pageBySeq((rowsMax) => list({ limit: rowsMax, before }), limit)
  return { data: rows.map(presentDelivery), next_cursor: next }
}

function presentDelivery(view: DeliveryView): DeliveryRow {
  return {
    event_id: view.eventId,
    occurrence_id: view.occurrenceId,
    event_type: view.eventType,
    store: view.store,
    app_id: view.appId,
    hook_id: view.hookId,
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
