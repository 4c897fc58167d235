import type { WatchPreview } from '../../contract/console/destinations.ts'
import { watchBody } from '../../contract/hook.ts'
import { watchSetBody } from '../../contract/v1/watch-sets.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { watchInputOf } from '../v1/hooks.ts'
import { watchSetInputOf } from '../v1/watch-sets.ts'
import { sentenceOf, setSentenceOf } from './watch-view.ts'

export type WatchRouteDeps = { readonly operations: Pick<Operations, 'apps' | 'watches'> }

/** The single watches of a destination, the change of one into a watch set and back, and previews. The REST API replaces all watches of a hook at once. */
export function watchRoutes({ operations: { apps, watches } }: WatchRouteDeps): Route[] {
  const single = '/destinations/:id/watches/:watchId'
  return [
    route({
      method: 'POST',
      path: '/destinations/:id/watches',
      body: watchBody,
      async run({ caller, param, body }) {
        await watches.add(caller.accountId, param('id'), watchInputOf(body))
      },
    }),

    route({
      method: 'PUT',
      path: single,
      body: watchBody,
      async run({ caller, param, body }) {
        await watches.change(caller.accountId, param('id'), param('watchId'), watchInputOf(body))
      },
    }),

    route({
      method: 'DELETE',
      path: single,
      async run({ caller, param }) {
        await watches.remove(caller.accountId, param('id'), param('watchId'))
      },
    }),

    route({
      method: 'PUT',
      path: `${single}/watch-set`,
      body: watchSetBody,
      async run({ caller, param, body }) {
        await watches.changeToSet(caller.accountId, param('id'), param('watchId'), watchSetInputOf(body))
      },
    }),

    route({
      method: 'PUT',
      path: '/destinations/:id/watch-sets/:setId/watch',
      body: watchBody,
      async run({ caller, param, body }) {
        await watches.changeToWatch(caller.accountId, param('id'), param('setId'), watchInputOf(body))
      },
    }),

    route({
      method: 'POST',
      path: '/watches/preview',
      body: watchBody,
      async run({ caller: { accountId }, body }): Promise<WatchPreview> {
        const { watch, matched, examined } = await watches.preview(accountId, watchInputOf(body))
        const sentence = sentenceOf(watch, await apps.storefronts(accountId))
        return { sentence, matched, looked: examined, apps: { counted: 1, total: 1 } }
      },
    }),

    route({
      method: 'POST',
      path: '/watch-sets/preview',
      body: watchSetBody,
      async run({ caller: { accountId }, body }): Promise<WatchPreview> {
        const {
          set,
          matched,
          examined,
          apps: of,
        } = await watches.previewSet(accountId, watchSetInputOf(body))
        const sentence = setSentenceOf(set, await apps.storefronts(accountId))
        return { sentence, matched, looked: examined, apps: of }
      },
    }),
  ]
}
