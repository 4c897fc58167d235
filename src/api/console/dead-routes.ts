import { z } from 'zod'
import {
  type Changed,
  type DeadCount,
  type DeliveriesPage,
  DeliveriesQuery,
  DeliveryFilterQuery,
  EventIdsBody,
  ReplayBody,
  ReplayChange,
  type ReplayView,
} from '../../contract/console/deliveries.ts'
import {
  DEAD_LETTER_COLUMNS,
  deadLetterCells,
  deadLetterRecord,
} from '../../operations/dead-letters/record.ts'
import type { Operations } from '../../operations/operations.ts'
import { sendExport } from '../export.ts'
import { type Route, route } from '../route.ts'
import { deadFilterOf, pageOf, presentDeliveries } from './delivery-view.ts'
import { presentReplay } from './replay-view.ts'

export type DeadRouteDeps = { readonly operations: Pick<Operations, 'apps' | 'deadLetters' | 'deliveries'> }

const REPLAYS_SHOWN = 20

const EXPORT_TABLE = {
  columns: DEAD_LETTER_COLUMNS,
  cellsOf: deadLetterCells,
  jsonOf: deadLetterRecord,
}

const FilterQuery = DeliveryFilterQuery.omit({ status: true })
const ExportQuery = FilterQuery.extend({
  format: z.enum(['csv', 'jsonl'], { error: 'format: csv or jsonl' }).default('jsonl'),
})

export function deadRoutes({ operations }: DeadRouteDeps): Route[] {
  const { deadLetters } = operations
  return [
    route({
      method: 'GET',
      path: '/dead',
      query: DeliveriesQuery.omit({ status: true, sort: true }),
      async run({ caller: { accountId }, query }): Promise<DeliveriesPage> {
        const { eventId, cursor, limit, ...filter } = query
        if (eventId !== undefined) {
          const letter = await deadLetters.find(accountId, eventId)
          const found = letter === null ? [] : [letter]
          return { deliveries: await presentDeliveries(operations, accountId, found), next: null }
        }
        return pageOf(
          ({ last, limit }) => deadLetters.list(accountId, deadFilterOf(filter), { limit, before: last }),
          { cursor, limit },
          (letters) => presentDeliveries(operations, accountId, letters),
        )
      },
    }),

    route({
      method: 'GET',
      path: '/dead/count',
      query: FilterQuery,
      run: ({ caller, query }): Promise<DeadCount> =>
        deadLetters.count(caller.accountId, deadFilterOf(query)),
    }),

    route({
      method: 'GET',
      path: '/dead/export',
      query: ExportQuery,
      async run({ caller, query: { format, ...filter }, reply }) {
        const pages = deadLetters.pages(caller.accountId, deadFilterOf(filter))
        return sendExport(reply, 'dead-letters', format, EXPORT_TABLE, pages)
      },
    }),

    route({
      method: 'POST',
      path: '/dead/replay',
      body: EventIdsBody,
      async run({ caller, body }): Promise<Changed> {
        const { replayed } = await deadLetters.replay(caller.accountId, body.eventIds)
        return { changed: replayed }
      },
    }),

    route({
      method: 'POST',
      path: '/dead/discard',
      body: EventIdsBody,
      async run({ caller, body }): Promise<Changed> {
        const { discarded } = await deadLetters.discard(caller.accountId, body.eventIds)
        return { changed: discarded }
      },
    }),

    route({
      method: 'GET',
      path: '/dead/replays',
      run: async ({ caller }) =>
        (await deadLetters.replays.list(caller.accountId, REPLAYS_SHOWN)).map(presentReplay),
    }),

    route({
      method: 'POST',
      path: '/dead/replays',
      body: ReplayBody,
      async run({ caller, body }): Promise<ReplayView> {
        const filter = deadFilterOf(body.filter)
        return presentReplay(await deadLetters.replays.start(caller.accountId, filter, body.ratePerSecond))
      },
    }),

    route({
      method: 'POST',
      path: '/dead/replays/:id',
      body: ReplayChange,
      run: async ({ caller, param, body }): Promise<ReplayView> =>
        presentReplay(await deadLetters.replays.setStatus(caller.accountId, param('id'), body.status)),
    }),
  ]
}
