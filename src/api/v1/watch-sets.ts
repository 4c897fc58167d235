import type { Routes } from '../../contract/routes.ts'
import type { WatchSetBody, WatchSet as WatchSetView } from '../../contract/v1/watch-sets.ts'
import { filterInputOf } from '../../contract/watch-rules.ts'
import type { WatchSet } from '../../model/hook.ts'
import { filterDetailRecord, filterRecord } from '../../operations/hooks/watch-record.ts'
import type { Operations } from '../../operations/operations.ts'
import type { WatchSetInput } from '../../operations/watches/new-watch-set.ts'
import { changerOf, type Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type WatchSetRouteDeps = { readonly operations: Pick<Operations, 'hooks' | 'watches'> }

export function watchSetRoutes(table: Routes, { operations: { hooks, watches } }: WatchSetRouteDeps) {
  return {
    list_watch_sets: apiRoute(table.list_watch_sets, async ({ caller, param }) =>
      (await hooks.get(caller.accountId, param('id'))).watchSets.map(presentSet),
    ),

    create_watch_set: apiRoute(table.create_watch_set, async ({ caller, param, body }) => {
      const input = watchSetInputOf(body)
      return presentSet(await watches.addSet(caller.accountId, param('id'), input, changerOf(caller)))
    }),

    change_watch_set: apiRoute(table.change_watch_set, async ({ caller, param, body }) => {
      const { accountId } = caller
      const input = watchSetInputOf(body)
      const by = changerOf(caller)
      return presentSet(await watches.changeSet(accountId, param('id'), param('set_id'), input, by))
    }),

    delete_watch_set: apiRoute(table.delete_watch_set, async ({ caller, param }) => {
      await watches.removeSet(caller.accountId, param('id'), param('set_id'), changerOf(caller))
      return undefined
    }),
  } as const satisfies Record<string, Route>
}

export function watchSetInputOf(body: WatchSetBody): WatchSetInput {
  return {
    apps: body.apps === 'all' ? null : body.apps.map(({ store, app_id }) => ({ store, appId: app_id })),
    ...filterInputOf(body),
  }
}

export function presentSet(set: WatchSet): WatchSetView {
  const { apps } = set
  return {
    id: set.id,
    apps: apps === null ? 'all' : apps.map(({ store, appId }) => ({ store, app_id: appId })),
    ...filterRecord(set),
    ...filterDetailRecord(set),
    created_at: set.createdAt.toISOString(),
  }
}
