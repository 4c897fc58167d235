import type { Routes } from '../../contract/routes.ts'
import type { DeliveryFilterFields } from '../../contract/v1/deliveries.ts'
import type { DeliveryView } from '../../operations/deliveries.ts'
import type { Operations } from '../../operations/operations.ts'
import { pageOf } from '../page.ts'
import type { Route } from '../route.ts'
import { presentAttempt } from './attempt-view.ts'
import { presentDeliveries } from './delivery-view.ts'
import { apiRoute } from './route.ts'

export type DeliveryRouteDeps = { readonly operations: Pick<Operations, 'apps' | 'deliveries' | 'recovery'> }

export function deliveryRoutes(table: Routes, { operations }: DeliveryRouteDeps) {
  const { deliveries, recovery } = operations
  const present = (accountId: string, views: readonly DeliveryView[]) =>
    presentDeliveries(operations, accountId, views)
  const read = async (accountId: string, eventId: string) => {
    const { delivery, attempts } = await deliveries.get(accountId, eventId)
    const [row] = await present(accountId, [delivery])
    if (row === undefined) throw new Error('a delivery was not presented')
    return { row, body: delivery.body, attempts }
  }

  return {
    list_deliveries: apiRoute(table.list_deliveries, ({ caller: { accountId }, query }) => {
      const { cursor, limit, sort, ...filter } = query
      return pageOf(
        ({ limit, last }) => {
          const page = sort === 'created' ? { limit, after: last } : { limit, before: last }
          return deliveries.list(accountId, deliveryFilterOf(filter), page)
        },
        { cursor, limit },
        (views) => present(accountId, views),
      )
    }),

    get_delivery: apiRoute(table.get_delivery, async ({ caller, param }) => {
      const { row, body, attempts } = await read(caller.accountId, param('event_id'))
      return { ...row, body, history: attempts.map((attempt) => presentAttempt(attempt, caller)) }
    }),

    retry_delivery: apiRoute(table.retry_delivery, async ({ caller, param }) => {
      await recovery.retryNow(caller.accountId, param('event_id'))
      return (await read(caller.accountId, param('event_id'))).row
    }),

    retry_deliveries: apiRoute(table.retry_deliveries, ({ caller, body }) =>
      recovery.retryEach(caller.accountId, body.event_ids),
    ),

    resend_delivery: apiRoute(table.resend_delivery, async ({ caller, param }) => {
      await deliveries.resend(caller.accountId, param('event_id'))
      return (await read(caller.accountId, param('event_id'))).row
    }),
  } as const satisfies Record<string, Route>
}

/** The filter with the names of the operations. */
export function deliveryFilterOf<Query extends Omit<DeliveryFilterFields, 'status'>>(query: Query) {
  const { hook_id, app_id, event_type, http_status, ...rest } = query
  return { ...rest, hookId: hook_id, appId: app_id, eventType: event_type, httpStatus: http_status }
}
