import type { AtomFeedLine, CreatedAtomFeed } from '../../contract/console/apps.ts'
import type { AtomFeed } from '../../model/atom-feed.ts'
import type { Operations } from '../../operations/operations.ts'
import { atomUrl } from '../atom/routes.ts'
import { type Route, route } from '../route.ts'
import { storeOf } from './app-routes.ts'

export type AtomFeedRouteDeps = {
  readonly operations: Pick<Operations, 'atomFeeds'>
  readonly publicUrl: () => string
}

/** Atom feeds of an app. Every member sees that they exist; owners create and revoke them, as they do tokens. */
export function atomFeedRoutes({ operations, publicUrl }: AtomFeedRouteDeps): Route[] {
  const { atomFeeds } = operations
  const appOf = (param: (name: string) => string) => ({
    store: storeOf(param('store')),
    appId: param('appId'),
  })
  return [
    route({
      method: 'GET',
      path: '/apps/:store/:appId/atom-feeds',
      run: async ({ caller, param }) =>
        (await atomFeeds.list(caller.accountId, appOf(param))).map(presentFeed),
    }),

    route({
      method: 'POST',
      path: '/apps/:store/:appId/atom-feeds',
      access: 'owner',
      async run({ caller, param }): Promise<CreatedAtomFeed> {
        const { feed, token } = await atomFeeds.create(caller.accountId, appOf(param))
        return { ...presentFeed(feed), url: atomUrl(publicUrl(), token) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/atom-feeds/:id',
      access: 'owner',
      run: ({ caller, param }) => atomFeeds.revoke(caller.accountId, param('id')),
    }),
  ]
}

function presentFeed({ id, createdAt }: AtomFeed): AtomFeedLine {
  return { id, createdAt: createdAt.toISOString() }
}
