import { z } from 'zod'
import { STORES } from '../../model/vocabulary.ts'
import { OBJECT } from '../field.ts'
import type { Route } from '../route.ts'
import { appIdText, store } from './query.ts'

const NO_FEED = 'The account has no Atom feed with this id.'
const params = z.object({
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_FEED)
    .meta({ description: 'Id of the Atom feed.' }),
})

const fields = {
  id: z.string(),
  store: z.enum(STORES),
  app_id: z.string(),
  created_at: z.iso.datetime(),
}
export const atomFeedView = z
  .object(fields)
  .meta({ id: 'AtomFeed', description: "An address of an app's reviews as Atom 1.0, without the address." })
export type AtomFeedView = z.infer<typeof atomFeedView>

export const createdAtomFeed = z
  .object({
    ...fields,
    url: z.string().meta({
      format: 'uri',
      description: 'Address of the feed. It contains a token and is shown in this response only.',
    }),
  })
  .meta({
    id: 'CreatedAtomFeed',
    description: 'Whoever has the address reads the reviews; it is in this response only.',
  })
export type CreatedAtomFeed = z.infer<typeof createdAtomFeed>

export const atomFeedBody = z
  .object({ store, app_id: appIdText }, OBJECT)
  .meta({ id: 'AtomFeedBody', examples: [{ store: 'apple', app_id: '310633997' }] })

export const atomFeedRoutes = {
  list_atom_feeds: {
    method: 'GET',
    path: '/atom-feeds',
    tag: 'Reviews',
    scopes: ['read'],
    summary: 'List Atom feeds',
    description: 'The Atom feeds of the account, newest first, without their addresses.',
    success: { status: 200, description: 'All Atom feeds.', schema: z.array(atomFeedView) },
    errors: {},
  },
  create_atom_feed: {
    method: 'POST',
    path: '/atom-feeds',
    tag: 'Reviews',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Create an Atom feed',
    description:
      'Creates an address that shows the newest reviews of one app as Atom 1.0. The address contains a token: anyone with it can read the reviews until the feed is revoked.',
    body: atomFeedBody,
    success: { status: 200, description: 'The feed and its address.', schema: createdAtomFeed },
    errors: {
      400: 'A field is missing or not allowed.',
      404: 'The account does not track this app.',
      409: 'The account has reached its limit of Atom feeds.',
    },
  },
  revoke_atom_feed: {
    method: 'DELETE',
    path: '/atom-feeds/{id}',
    tag: 'Reviews',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Revoke an Atom feed',
    description: 'The address of the feed returns 404 from now on.',
    params,
    success: { status: 204, description: 'The feed no longer exists.' },
    errors: { 404: NO_FEED },
  },
} as const satisfies Record<string, Route>
