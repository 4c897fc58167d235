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
import { newId } from '../../model/ids.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DeadStorage, Replay } from '../../storage/port/dead.ts'
import type { DeliveryView } from '../../storage/port/deliveries.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { Refusal } from '../errors.ts'
import { pageOf } from './delivery-routes.ts'
import { deliveryFilterOf, presentDelivery } from './delivery-view.ts'
import { sendExport } from './export.ts'
import { type ConsoleRoute, consoleRoute } from './route.ts'

export type DeadDeps = {
  readonly dead: DeadStorage
  readonly hooks: Pick<HookStorage, 'watchedApps'>
  readonly clock: Clock
  readonly giveUpAfterMs: number
  readonly wakeSend: () => void
}

const EXPORT_PAGE = 500
const REPLAYS_SHOWN = 20
/** Replays of one account that run or are paused; each is looked at every second. */
const REPLAYS_OPEN_MAX = 10

const FilterQuery = DeliveryFilterQuery.omit({ status: true })
const ExportQuery = FilterQuery.extend({
  format: z.enum(['csv', 'jsonl'], { error: 'format: csv or jsonl' }).default('jsonl'),
})

export function deadRoutes(deps: DeadDeps): ConsoleRoute[] {
  const { dead, hooks, clock, giveUpAfterMs } = deps
  return [
    consoleRoute({
      method: 'GET',
      path: '/dead',
      query: DeliveriesQuery.omit({ status: true }),
      async run({ caller: { accountId }, query }): Promise<DeliveriesPage> {
        const { eventId, cursor, limit, ...filter } = query
        const watched = await hooks.watchedApps(accountId)
        const page = await pageOf(
          (each) => dead.list(accountId, deliveryFilterOf(filter), each),
          { cursor, limit },
          (view) => presentDelivery(view, watched),
        )
        if (eventId === undefined) return page
        return { deliveries: page.deliveries.filter((line) => line.eventId === eventId), next: page.next }
      },
    }),

    consoleRoute({
      method: 'GET',
      path: '/dead/count',
      query: FilterQuery,
      async run({ caller: { accountId }, query }): Promise<DeadCount> {
        const filter = deliveryFilterOf(query)
        const [count, byReason] = await Promise.all([
          dead.count(accountId, filter),
          dead.countByReason(accountId, filter),
        ])
        return { count, byReason }
      },
    }),

    consoleRoute({
      method: 'GET',
      path: '/dead/export',
      query: ExportQuery,
      async run({ caller: { accountId }, query: { format, ...filter }, reply }) {
        async function* pages() {
          let before: number | null = null
          do {
            const page: DeliveryView[] = await dead.list(accountId, deliveryFilterOf(filter), {
              limit: EXPORT_PAGE,
              before,
            })
            yield page
            before = page.length < EXPORT_PAGE ? null : (page.at(-1)?.seq ?? null)
          } while (before !== null)
        }
        return sendExport(reply, 'dead-letters', format, LETTER_TABLE, pages())
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/dead/replay',
      body: EventIdsBody,
      async run({ caller: { accountId }, body }): Promise<Changed> {
        const changed = await dead.replay(accountId, body.eventIds, clock.now(), giveUpAfterMs)
        if (changed > 0) deps.wakeSend()
        return { changed }
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/dead/discard',
      body: EventIdsBody,
      run: async ({ caller: { accountId }, body }): Promise<Changed> => ({
        changed: await dead.discard(accountId, body.eventIds, clock.now()),
      }),
    }),

    consoleRoute({
      method: 'GET',
      path: '/dead/replays',
      run: async ({ caller: { accountId } }) =>
        (await dead.listReplays(accountId, REPLAYS_SHOWN)).map(presentReplay),
    }),

    consoleRoute({
      method: 'POST',
      path: '/dead/replays',
      body: ReplayBody,
      async run({ caller: { accountId }, body }): Promise<ReplayView> {
        const replays = await dead.listReplays(accountId, 1_000)
        const open = replays.filter(({ status }) => status === 'running' || status === 'paused')
        if (open.length >= REPLAYS_OPEN_MAX) {
          throw new Refusal(
            'conflict',
            `An account has at most ${REPLAYS_OPEN_MAX} replays at once; cancel one.`,
          )
        }
        const replay = await dead.createReplay({
          id: newId('rpl'),
          accountId,
          filter: deliveryFilterOf(body.filter),
          ratePerSecond: body.ratePerSecond,
          createdAt: clock.now(),
        })
        deps.wakeSend()
        return presentReplay(replay)
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/dead/replays/:id',
      body: ReplayChange,
      async run({ caller: { accountId }, param, body }): Promise<ReplayView> {
        const id = param('id')
        const replay = await dead.setReplayStatus(accountId, id, body.status, clock.now())
        if (replay !== null) {
          deps.wakeSend()
          return presentReplay(replay)
        }
        if ((await dead.getReplay(accountId, id)) !== null)
          throw new Refusal('conflict', 'This replay has ended.')
        throw new Refusal('not_found', 'The account has no replay with this id.')
      },
    }),
  ]
}

function presentReplay(replay: Replay): ReplayView {
  const { id, status, total, queued, delivered, deadAgain, ratePerSecond, createdAt, finishedAt } = replay
  return {
    id,
    status,
    total,
    queued,
    delivered,
    deadAgain,
    ratePerSecond,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}

const LETTER_TABLE = {
  columns: [
    'event_id',
    'hook_id',
    'target_url',
    'event_type',
    'store',
    'app_id',
    'created_at',
    'dead_at',
    'reason',
    'attempts',
    'last_http_status',
    'last_reason',
    'payload',
  ],
  cellsOf: (letter: DeliveryView) => [
    letter.eventId,
    letter.hookId,
    letter.targetUrl,
    letter.eventType,
    letter.store,
    letter.appId,
    letter.createdAt.toISOString(),
    letter.deadAt?.toISOString() ?? null,
    letter.deadReason,
    letter.attempts,
    letter.lastHttpStatus,
    letter.lastReason,
    letter.body,
  ],
  /** As the command `radar dead export` writes it. */
  jsonOf: (letter: DeliveryView) => ({
    event_id: letter.eventId,
    hook_id: letter.hookId,
    target_url: letter.targetUrl,
    event_type: letter.eventType,
    store: letter.store,
    app_id: letter.appId,
    created_at: letter.createdAt.toISOString(),
    dead_at: letter.deadAt?.toISOString() ?? null,
    reason: letter.deadReason,
    attempts: letter.attempts,
    last_http_status: letter.lastHttpStatus,
    last_reason: letter.lastReason,
    payload: JSON.parse(letter.body),
  }),
}
