import { type SavedViewLine, ViewBody } from '../../contract/console/views.ts'
import type { Operations } from '../../operations/operations.ts'
import type { SavedView } from '../../operations/saved-views.ts'
import { type Route, route } from '../route.ts'

export type ViewRouteDeps = { readonly operations: Pick<Operations, 'savedViews'> }

/** Every member sees, saves and deletes the views of the account. */
export function viewRoutes({ operations: { savedViews } }: ViewRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/views',
      run: async ({ caller }) => (await savedViews.list(caller.accountId)).map(presentView),
    }),

    route({
      method: 'POST',
      path: '/views',
      body: ViewBody,
      run: async ({ caller: { accountId, user }, body }) =>
        presentView(await savedViews.create(accountId, { ...body, author: user.name })),
    }),

    route({
      method: 'DELETE',
      path: '/views/:id',
      run: ({ caller, param }) => savedViews.remove(caller.accountId, param('id')),
    }),
  ]
}

function presentView({ id, name, filters, author }: SavedView): SavedViewLine {
  return { id, name, filters, author }
}
