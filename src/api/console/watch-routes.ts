import { WatchBody, type WatchPreview, WatchSetBody } from '../../contract/console/destinations.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { type DestinationViewDeps, destinationView } from './destination-view.ts'
import { sentenceOf, setSentenceOf, watchInputOf, watchSetInputOf } from './watch-view.ts'

export type WatchRouteDeps = DestinationViewDeps & { readonly operations: Pick<Operations, 'watches'> }

/** The watches and watch sets of a destination, and the change of one into the other. Each change returns the changed destination. */
export function watchRoutes(deps: WatchRouteDeps): Route[] {
  const { watches } = deps.operations
  const view = destinationView(deps)
  return [
    route({
      method: 'POST',
      path: '/destinations/:id/watches',
      body: WatchBody,
      run: async ({ caller, param, body }) =>
        view.one(await watches.add(caller.accountId, param('id'), watchInputOf(body))),
    }),

    route({
      method: 'PUT',
      path: '/destinations/:id/watches/:watchId',
      body: WatchBody,
      run: async ({ caller, param, body }) =>
        view.one(await watches.change(caller.accountId, param('id'), param('watchId'), watchInputOf(body))),
    }),

    route({
      method: 'DELETE',
      path: '/destinations/:id/watches/:watchId',
      run: async ({ caller, param }) =>
        view.one(await watches.remove(caller.accountId, param('id'), param('watchId'))),
    }),

    route({
      method: 'POST',
      path: '/watches/preview',
      body: WatchBody,
      async run({ caller: { accountId }, body }): Promise<WatchPreview> {
        const { watch, matched, examined } = await watches.preview(accountId, watchInputOf(body))
        const sentence = sentenceOf(watch, await deps.operations.apps.storefronts(accountId))
        return { sentence, matched, looked: examined, apps: { counted: 1, total: 1 } }
      },
    }),
    ...watchSetRoutes(deps),
  ]
}

function watchSetRoutes(deps: WatchRouteDeps): Route[] {
  const { watches } = deps.operations
  const view = destinationView(deps)
  return [
    route({
      method: 'POST',
      path: '/destinations/:id/watch-sets',
      body: WatchSetBody,
      run: async ({ caller, param, body }) => {
        const { hook } = await watches.addSet(caller.accountId, param('id'), watchSetInputOf(body), 'person')
        return view.one(hook)
      },
    }),

    route({
      method: 'PUT',
      path: '/destinations/:id/watch-sets/:setId',
      body: WatchSetBody,
      run: async ({ caller: { accountId }, param, body }) => {
        const input = watchSetInputOf(body)
        const { hook } = await watches.changeSet(accountId, param('id'), param('setId'), input, 'person')
        return view.one(hook)
      },
    }),

    route({
      method: 'PUT',
      path: '/destinations/:id/watches/:watchId/watch-set',
      body: WatchSetBody,
      run: async ({ caller: { accountId }, param, body }) =>
        view.one(await watches.changeToSet(accountId, param('id'), param('watchId'), watchSetInputOf(body))),
    }),

    route({
      method: 'PUT',
      path: '/destinations/:id/watch-sets/:setId/watch',
      body: WatchBody,
      run: async ({ caller: { accountId }, param, body }) =>
        view.one(await watches.changeToWatch(accountId, param('id'), param('setId'), watchInputOf(body))),
    }),

    route({
      method: 'DELETE',
      path: '/destinations/:id/watch-sets/:setId',
      run: async ({ caller, param }) =>
        view.one(await watches.removeSet(caller.accountId, param('id'), param('setId'), 'person')),
    }),

    route({
      method: 'POST',
      path: '/watch-sets/preview',
      body: WatchSetBody,
      async run({ caller: { accountId }, body }): Promise<WatchPreview> {
        const { set, matched, examined, apps } = await watches.previewSet(accountId, watchSetInputOf(body))
        const sentence = setSentenceOf(set, await deps.operations.apps.storefronts(accountId))
        return { sentence, matched, looked: examined, apps }
      },
    }),
  ]
}
