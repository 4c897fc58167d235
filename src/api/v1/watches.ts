import type { Routes } from '../../contract/routes.ts'
import type { Operations } from '../../operations/operations.ts'
import { changerOf, type Route } from '../route.ts'
import { presentWatch, watchInputOf } from './hooks.ts'
import { apiRoute } from './route.ts'
import { presentSet, watchSetInputOf } from './watch-sets.ts'

export type WatchRouteDeps = { readonly operations: Pick<Operations, 'watches'> }

export function watchRoutes(table: Routes, { operations: { watches } }: WatchRouteDeps) {
  return {
    add_watch: apiRoute(table.add_watch, async ({ caller, param, body }) => {
      const input = watchInputOf(body)
      return presentWatch(await watches.add(caller.accountId, param('id'), input, changerOf(caller)))
    }),

    replace_watch: apiRoute(table.replace_watch, async ({ caller, param, body }) => {
      const input = watchInputOf(body)
      const by = changerOf(caller)
      return presentWatch(await watches.change(caller.accountId, param('id'), param('watch_id'), input, by))
    }),

    remove_watch: apiRoute(table.remove_watch, async ({ caller, param }) => {
      await watches.remove(caller.accountId, param('id'), param('watch_id'), changerOf(caller))
      return undefined
    }),

    watch_to_watch_set: apiRoute(table.watch_to_watch_set, async ({ caller, param, body }) => {
      const input = watchSetInputOf(body)
      const by = changerOf(caller)
      return presentSet(
        await watches.changeToSet(caller.accountId, param('id'), param('watch_id'), input, by),
      )
    }),

    watch_set_to_watch: apiRoute(table.watch_set_to_watch, async ({ caller, param, body }) => {
      const input = watchInputOf(body)
      const by = changerOf(caller)
      return presentWatch(
        await watches.changeToWatch(caller.accountId, param('id'), param('set_id'), input, by),
      )
    }),
  } as const satisfies Record<string, Route>
}
