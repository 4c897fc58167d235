import type { Routes } from '../../contract/routes.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type EventRouteDeps = { readonly operations: Pick<Operations, 'events'> }

export function eventRoutes(table: Routes, { operations: { events } }: EventRouteDeps) {
  return {
    list_events: apiRoute(table.list_events, async ({ caller, query, reply }) => {
      const { after = '0', wait, limit, hook_id, event_type, store, app_id } = query
      if (after === 'latest') return { data: [], next_cursor: String(await events.newest(caller.accountId)) }
      const given = { hookId: hook_id, eventType: event_type, store, appId: app_id }
      const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      const left = new AbortController()
      const leave = () => left.abort()
      reply.raw.once('close', leave)
      try {
        const page = { limit, after: Number(after) }
        const waiting = { waitMs: wait * 1_000, signal: left.signal }
        const found = await events.after(caller.accountId, filter, page, waiting)
        // Returns the stored texts unchanged, so that a pulled event has the same bytes as a pushed one.
        const data = found.events.map(({ body }) => body).join(',')
        return reply
          .type('application/json; charset=utf-8')
          .send(`{"data":[${data}],"next_cursor":"${found.end}"}`)
      } finally {
        reply.raw.off('close', leave)
      }
    }),
  } as const satisfies Record<string, Route>
}
