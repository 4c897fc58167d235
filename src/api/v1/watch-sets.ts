import type { Routes } from '../../contract/routes.ts'
import type { WatchSetBody, WatchSet as WatchSetView } from '../../contract/v1/watch-sets.ts'
import type { WatchSet } from '../../model/hook.ts'
import { filterDetailRecord, filterRecord } from '../../operations/hooks/watch-record.ts'
import type { Operations } from '../../operations/operations.ts'
import { filterInputOf } from '../../operations/watches/body-filter.ts'
import type { WatchSetInput } from '../../operations/watches/new-watch-set.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type WatchSetRouteDeps = { readonly operations: Pick<Operations, 'hooks' | 'watches'> }

export function watchSetRoutes(
  table: Routes,
  { operations: { hooks, watches } }: WatchSetRouteDeps,
): Record<'list_watch_sets' | 'create_watch_set' | 'change_watch_set' | 'delete_watch_set', Route> {
  return {
    list_watch_sets: apiRoute(table.list_watch_sets, async ({ caller, param }) =>
      (await hooks.get(caller.accountId, param('id'))).watchSets.map(presentSet),
    ),

    create_watch_set: apiRoute(table.create_watch_set, async ({ caller, param, body }) => {
      const { set } = await watches.addSet(caller.accountId, param('id'), inputOf(body), 'program')
      return presentSet(set)
    }),

    change_watch_set: apiRoute(table.change_watch_set, async ({ caller: { accountId }, param, body }) => {
      const input = inputOf(body)
      const { set } = await watches.changeSet(accountId, param('id'), param('set_id'), input, 'program')
      return presentSet(set)
    }),

    delete_watch_set: apiRoute(table.delete_watch_set, async ({ caller, param }) => {
      await watches.removeSet(caller.accountId, param('id'), param('set_id'), 'program')
      return undefined
    }),
  }
}

function inputOf(body: WatchSetBody): WatchSetInput {
  return {
    apps: body.apps === 'all' ? null : body.apps.map(({ store, app_id }) => ({ store, appId: app_id })),
    ...filterInputOf(body),
  }
}

function presentSet(set: WatchSet): WatchSetView {
  const { apps } = set
  return {
    id: set.id,
    apps: apps === null ? 'all' : apps.map(({ store, appId }) => ({ store, app_id: appId })),
    ...filterRecord(set),
    ...filterDetailRecord(set),
    created_at: set.createdAt.toISOString(),
  }
}
