import {
  type Changed,
  type DeliveriesPage,
  DeliveriesQuery,
  type DeliveryPage,
} from '../../contract/console/deliveries.ts'
import type { Operations } from '../../operations/operations.ts'
import type { DeliveryView } from '../../storage/port/deliveries.ts'
import { type Route, route } from '../route.ts'
import { presentAttempt } from './attempt-view.ts'
import { deliveryFilterOf, pageOf, presentDeliveries } from './delivery-view.ts'

export type DeliveryRouteDeps = { readonly operations: Pick<Operations, 'apps' | 'deliveries'> }

export function deliveryRoutes({ operations }: DeliveryRouteDeps): Route[] {
  const { deliveries } = operations
  const present = (accountId: string, views: readonly DeliveryView[]) =>
    presentDeliveries(operations, accountId, views)
  return [
    route({
      method: 'GET',
      path: '/deliveries',
      query: DeliveriesQuery,
      async run({ caller: { accountId }, query }): Promise<DeliveriesPage> {
        const { eventId, cursor, limit, sort, ...filter } = query
        if (eventId !== undefined) {
          const view = await deliveries.find(accountId, eventId)
          return { deliveries: await present(accountId, view === null ? [] : [view]), next: null }
        }
        return pageOf(
          ({ last, limit }) => {
            const page = sort === 'created' ? { limit, after: last } : { limit, before: last }
            return deliveries.list(accountId, deliveryFilterOf(filter), page)
          },
          { cursor, limit },
          (views) => present(accountId, views),
        )
      },
    }),

    route({
      method: 'GET',
      path: '/deliveries/:eventId',
      async run({ caller, param }): Promise<DeliveryPage> {
        const { accountId } = caller
        const { delivery, attempts } = await deliveries.get(accountId, param('eventId'))
        const [line] = await present(accountId, [delivery])
        if (line === undefined) throw new Error('a delivery was not presented')
        return {
          ...line,
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
