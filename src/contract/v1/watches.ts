import { z } from 'zod'
import { watchBody, watchDetail } from '../hook.ts'
import { BODY_BYTES_MAX, type Route } from '../route.ts'
import { hookParams, NO_HOOK } from './hooks.ts'
import { setParams, watchSet, watchSetBody } from './watch-sets.ts'

const NO_WATCH = 'The hook has no watch with this id.'

const params = hookParams.extend({
  watch_id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_WATCH)
    .meta({ description: 'Id of the watch.' }),
})

const bodyErrors = {
  400: 'A field is missing or invalid; the message names it and the allowed values.',
  413: `The body has more than ${BODY_BYTES_MAX} bytes.`,
  415: 'The body is not application/json.',
}
const STOREFRONTS_REACHED = 'The account has reached its limit of tracked storefronts.'

/** The single watches of a hook. */
export const watchRoutes = {
  add_watch: {
    method: 'POST',
    path: '/hooks/{id}/watches',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Add a watch to a hook',
    description: 'The hook also gets the events of this app from now on.',
    params: hookParams,
    body: watchBody,
    success: { status: 200, description: 'The added watch.', schema: watchDetail },
    errors: {
      ...bodyErrors,
      404: NO_HOOK,
      409: 'The hook has reached its limit of watches, or the account its limit of tracked storefronts.',
    },
  },
  replace_watch: {
    method: 'PUT',
    path: '/hooks/{id}/watches/{watch_id}',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Replace a watch',
    description:
      'The changed watch applies to new reviews and ratings. The watches of watch sets cannot be changed alone.',
    params,
    body: watchBody,
    success: { status: 200, description: 'The changed watch.', schema: watchDetail },
    errors: { ...bodyErrors, 404: NO_WATCH, 409: STOREFRONTS_REACHED },
  },
  remove_watch: {
    method: 'DELETE',
    path: '/hooks/{id}/watches/{watch_id}',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Remove a watch',
    description: 'Pending deliveries are still sent. A hook without watches gets no events.',
    params,
    success: { status: 204, description: 'The watch no longer exists.' },
    errors: { 404: NO_WATCH },
  },
  watch_to_watch_set: {
    method: 'PUT',
    path: '/hooks/{id}/watches/{watch_id}/watch-set',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Turn a watch into a watch set',
    description:
      'Replaces the watch by a watch set in one step. If the filter is the same, the app of the watch misses no event.',
    params,
    body: watchSetBody,
    success: { status: 200, description: 'The watch set.', schema: watchSet },
    errors: { ...bodyErrors, 404: NO_WATCH, 409: STOREFRONTS_REACHED },
  },
  watch_set_to_watch: {
    method: 'PUT',
    path: '/hooks/{id}/watch-sets/{set_id}/watch',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Turn a watch set into a watch',
    description:
      'Replaces the watch set by a watch of one app in one step. If the filter is the same, the app misses no event.',
    params: setParams,
    body: watchBody,
    success: { status: 200, description: 'The watch.', schema: watchDetail },
    errors: { ...bodyErrors, 404: 'The hook has no watch set with this id.', 409: STOREFRONTS_REACHED },
  },
} as const satisfies Record<string, Route>
