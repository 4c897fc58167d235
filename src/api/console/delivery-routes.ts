import {
  type Changed,
  type DeliveriesPage,
  DeliveriesQuery,
  type DeliveryPage,
} from '../../contract/console/deliveries.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { presentAttempt } from './attempt-view.ts'
import { deliveryFilterOf, pageOf, presentDelivery } from './delivery-view.ts'

export type DeliveryRouteDeps = { readonly operations: Pick<Operations, 'apps' | 'deliveries'> }

export function deliveryRoutes({ operations }: DeliveryRouteDeps): Route[] {
  const { apps, deliveries } = operations
  return [
    route({
      method: 'GET',
      path: '/deliveries',
      query: DeliveriesQuery,
      async run({ caller: { accountId }, query }): Promise<DeliveriesPage> {
        const { eventId, cursor, limit, ...filter } = query
        const watched = await apps.storefronts(accountId)
        if (eventId !== undefined) {
          const view = await deliveries.find(accountId, eventId)
          return { deliveries: view === null ? [] : [presentDelivery(view, watched)], next: null }
        }
        return pageOf(
          (page) => deliveries.list(accountId, deliveryFilterOf(filter), page),
          { cursor, limit },
          (view) => presentDelivery(view, watched),
        )
      },
    }),

    route({
      method: 'GET',
      path: '/deliveries/:eventId',
      async run({ caller, param }): Promise<DeliveryPage> {
        const [watched, { delivery, attempts }] = await Promise.all([
          apps.storefronts(caller.accountId),
          deliveries.get(caller.accountId, param('eventId')),
        ])
        return {
          ...presentDelivery(delivery, watched),
          body: delivery.body,
          history: attempts.map((attempt) => presentAttempt(attempt, caller)),
        }
      },
    }),

    route({
      method: 'POST',
      path: '/deliveries/:eventId/resend',
      async run({ caller, param }): Promise<Changed> {
        await deliveries.resend(caller.accountId, param('eventId'))
        return { changed: 1 }
      },
    }),
  ]
}
