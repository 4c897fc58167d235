import type { z } from 'zod'
import {
  type Changed,
  type DeliveriesPage,
  DeliveriesQuery,
  type DeliveryPage,
} from '../../contract/console/deliveries.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DeadStorage } from '../../storage/port/dead.ts'
import type { DeliveryFilter, DeliveryStorage, DeliveryView, Page } from '../../storage/port/deliveries.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { Refusal } from '../errors.ts'
import { presentAttempt } from './attempt-view.ts'
import { deliveryFilterOf, presentDelivery } from './delivery-view.ts'
import { type ConsoleRoute, consoleRoute } from './route.ts'

export type DeliveryDeps = {
  readonly deliveries: Pick<DeliveryStorage, 'list' | 'get' | 'attempts' | 'sendAgain'>
  readonly dead: Pick<DeadStorage, 'replay'>
  readonly hooks: Pick<HookStorage, 'list' | 'watchedApps'>
  readonly clock: Clock
  /** How long a delivery put back on the queue is tried. */
  readonly giveUpAfterMs: number
  /** Ends the send loop's wait. */
  readonly wakeSend: () => void
}

export function deliveryRoutes(deps: DeliveryDeps): ConsoleRoute[] {
  const { deliveries, dead, hooks, clock, giveUpAfterMs } = deps

  const find = async (accountId: string, eventId: string): Promise<DeliveryView> => {
    const view = await deliveries.get(accountId, eventId)
    if (view === null) throw new Refusal('not_found', 'The account has no delivery with this event id.')
    return view
  }

  return [
    consoleRoute({
      method: 'GET',
      path: '/deliveries',
      query: DeliveriesQuery,
      async run({ caller: { accountId }, query }): Promise<DeliveriesPage> {
        const { eventId, cursor, limit, ...filter } = query
        const watched = await hooks.watchedApps(accountId)
        if (eventId !== undefined) {
          const view = await deliveries.get(accountId, eventId)
          return { deliveries: view === null ? [] : [presentDelivery(view, watched)], next: null }
        }
        const stored = deliveryFilterOf(filter)
        const list = (page: Page) =>
          filter.status === 'held'
            ? listHeld(accountId, stored, page, deps)
            : deliveries.list(accountId, stored, page)
        return pageOf(list, { cursor, limit }, (view) => presentDelivery(view, watched))
      },
    }),

    consoleRoute({
      method: 'GET',
      path: '/deliveries/:eventId',
      async run({ caller, param }): Promise<DeliveryPage> {
        const { accountId } = caller
        const view = await find(accountId, param('eventId'))
        const [watched, history] = await Promise.all([
          hooks.watchedApps(accountId),
          deliveries.attempts(accountId, view.eventId),
        ])
        return {
          ...presentDelivery(view, watched),
          body: view.body,
          history: history.map((attempt) => presentAttempt(attempt, caller)),
        }
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/deliveries/:eventId/resend',
      async run({ caller: { accountId }, param }): Promise<Changed> {
        const view = await find(accountId, param('eventId'))
        const now = clock.now()
        const changed =
          view.status === 'dead'
            ? await dead.replay(accountId, [view.eventId], now, giveUpAfterMs)
            : Number(await deliveries.sendAgain(accountId, view.eventId, now, giveUpAfterMs))
        if (changed === 0) throw new Refusal('conflict', whyNot(view))
        deps.wakeSend()
        return { changed }
      },
    }),
  ]
}

function whyNot({ status, hookStatus }: DeliveryView): string {
  if (hookStatus === 'deleted') return 'Its destination was deleted.'
  if (hookStatus === 'gone') return 'Its destination was turned off by its platform.'
  return status === 'pending' ? 'It is still on its way.' : 'It was resolved already.'
}

/** What is pending under the paused destinations, newest first. */
async function listHeld(
  accountId: string,
  filter: DeliveryFilter,
  page: Page,
  { deliveries, hooks }: Pick<DeliveryDeps, 'deliveries' | 'hooks'>,
): Promise<DeliveryView[]> {
  const paused = (await hooks.list(accountId)).filter(
    ({ id, status }) => status === 'paused' && (filter.hookId ?? id) === id,
  )
  const lists = await Promise.all(
    paused.map(({ id }) => deliveries.list(accountId, { ...filter, hookId: id }, page)),
  )
  return lists
    .flat()
    .sort((a, b) => b.seq - a.seq)
    .slice(0, page.limit)
}

/** One page and the cursor of the next; one more is asked for than is shown, to know whether there is one. */
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
