import type { Routes } from '../../contract/routes.ts'
import type { ReplayView } from '../../contract/v1/dead-letters.ts'
import {
  DEAD_LETTER_COLUMNS,
  deadLetterCells,
  deadLetterRecord,
} from '../../operations/dead-letters/record.ts'
import type { Replay } from '../../operations/dead-letters/replays.ts'
import type { Operations } from '../../operations/operations.ts'
import { sendExport } from '../export.ts'
import { pageOf } from '../page.ts'
import type { Route } from '../route.ts'
import { deliveryFilterOf } from './deliveries.ts'
import { presentDeliveries } from './delivery-view.ts'
import { apiRoute } from './route.ts'

export type DeadLetterRouteDeps = {
  readonly operations: Pick<Operations, 'apps' | 'deadLetters' | 'deliveries'>
}

const REPLAYS_SHOWN = 20

const TABLE = { columns: DEAD_LETTER_COLUMNS, cellsOf: deadLetterCells, jsonOf: deadLetterRecord }

export function deadLetterRoutes(table: Routes, { operations }: DeadLetterRouteDeps) {
  const { deadLetters } = operations
  return {
    list_dead_letters: apiRoute(table.list_dead_letters, ({ caller, query: { cursor, limit, ...query } }) =>
      pageOf(
        ({ last, limit }) =>
          deadLetters.list(caller.accountId, deliveryFilterOf(query), { limit, before: last }),
        { cursor, limit },
        (letters) => presentDeliveries(operations, caller.accountId, letters),
      ),
    ),

    count_dead_letters: apiRoute(table.count_dead_letters, async ({ caller, query }) => {
      const { count, byReason } = await deadLetters.count(caller.accountId, deliveryFilterOf(query))
      return { count, by_reason: [...byReason] }
    }),

    export_dead_letters: apiRoute(
      table.export_dead_letters,
      async ({ caller, query: { format, ...query }, reply }) => {
        const pages = deadLetters.pages(caller.accountId, deliveryFilterOf(query))
        return sendExport(reply, 'dead-letters', format, TABLE, pages)
      },
    ),

    replay_dead_letters: apiRoute(table.replay_dead_letters, ({ caller, body }) =>
      deadLetters.replay(caller.accountId, body.event_ids),
    ),

    discard_dead_letters: apiRoute(table.discard_dead_letters, ({ caller, body }) =>
      deadLetters.discard(caller.accountId, body.event_ids),
    ),

    list_replays: apiRoute(table.list_replays, async ({ caller }) =>
      (await deadLetters.replays.list(caller.accountId, REPLAYS_SHOWN)).map(presentReplay),
    ),

    start_replay: apiRoute(table.start_replay, async ({ caller, body }) => {
      const filter = deliveryFilterOf(body.filter)
      return presentReplay(await deadLetters.replays.start(caller.accountId, filter, body.rate_per_second))
    }),

    change_replay: apiRoute(table.change_replay, async ({ caller, param, body }) =>
      presentReplay(await deadLetters.replays.setStatus(caller.accountId, param('id'), body.status)),
    ),
  } as const satisfies Record<string, Route>
}

export function presentReplay(replay: Replay): ReplayView {
  return {
    id: replay.id,
    status: replay.status,
    recovery_of: 'recoverSince' in replay.filter ? replay.filter.hookId : null,
    total: replay.total,
    queued: replay.queued,
    delivered: replay.delivered,
    dead_again: replay.deadAgain,
    rate_per_second: replay.ratePerSecond,
    created_at: replay.createdAt.toISOString(),
    finished_at: replay.finishedAt?.toISOString() ?? null,
  }
}
