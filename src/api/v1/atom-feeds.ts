import type { Routes } from '../../contract/routes.ts'
import type { AtomFeedView } from '../../contract/v1/atom-feeds.ts'
import type { AtomFeed } from '../../model/atom-feed.ts'
import type { Operations } from '../../operations/operations.ts'
import { atomUrl } from '../atom/routes.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type AtomFeedRouteDeps = {
  readonly operations: Pick<Operations, 'atomFeeds'>
  readonly publicUrl: () => string
}

export function atomFeedRoutes(table: Routes, { operations: { atomFeeds }, publicUrl }: AtomFeedRouteDeps) {
  return {
    list_atom_feeds: apiRoute(table.list_atom_feeds, async ({ caller }) =>
      (await atomFeeds.list(caller.accountId, null)).map(presentFeed),
    ),

    create_atom_feed: apiRoute(table.create_atom_feed, async ({ caller, body: { store, app_id: appId } }) => {
      const { feed, token } = await atomFeeds.create(caller.accountId, { store, appId })
      return { ...presentFeed(feed), url: atomUrl(publicUrl(), token) }
    }),

    revoke_atom_feed: apiRoute(table.revoke_atom_feed, async ({ caller, param }) => {
      await atomFeeds.revoke(caller.accountId, param('id'))
      return undefined
    }),
  } as const satisfies Record<string, Route>
}

function presentFeed({ id, store, appId, createdAt }: AtomFeed): AtomFeedView {
  return { id, store, app_id: appId, created_at: createdAt.toISOString() }
}
