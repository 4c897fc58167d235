import { z } from 'zod'
import { APP_ID_CHARS_MAX, SET_APPS_MAX } from '../../model/hook-limits.ts'
import { EVENT_TYPES, STOREFRONTS, STORES } from '../../model/vocabulary.ts'
import { NOT_BLANK, OBJECT, says, text } from '../field.ts'
import { filterDetail } from '../hook.ts'
import { BODY_BYTES_MAX, type Route } from '../route.ts'
import { filterFields } from '../watch-filters.ts'
import { checkFilter, watchRules } from '../watch-rules.ts'
import { hookParams, NO_HOOK } from './hooks.ts'

const NO_SET = 'The hook has no watch set with this id.'

export const setParams = hookParams.extend({
  set_id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_SET)
    .meta({ description: 'Id of the watch set.' }),
})

const appId = `text: the numeric id for apple, the package name for google; at most ${APP_ID_CHARS_MAX} characters`
const apps = says('apps', `"all" or a list of 1 to ${SET_APPS_MAX} apps`)
const store = says('apps.store', '"apple" or "google"')

const setApp = z
  .object({
    store: z.enum(STORES, store),
    app_id: text('apps.app_id', appId, APP_ID_CHARS_MAX)
      .refine((value) => value.trim() !== '', says('apps.app_id', appId))
      .meta({ pattern: NOT_BLANK }),
  })
  .meta({ id: 'AppOfSet' })

export const watchSetBody = z
  .object(
    {
      apps: z.union([z.literal('all'), z.array(setApp).min(1, apps).max(SET_APPS_MAX, apps)], apps).meta({
        description: '`all`: every app of the account, also those that are added later. Else the named apps.',
      }),
      ...filterFields,
    },
    OBJECT,
  )
  .superRefine(checkFilter)
  .meta({
    id: 'WatchSetBody',
    dependentSchemas: watchRules(),
    examples: [{ apps: 'all', event_type: 'review.created', max_stars: 2 }],
  })
export type WatchSetBody = z.infer<typeof watchSetBody>

export const watchSet = z
  .object({
    id: z.string(),
    apps: z
      .union([z.literal('all'), z.array(z.object({ store: z.enum(STORES), app_id: z.string() }))])
      .meta({ description: '`all`, or the named apps.' }),
    event_type: z.enum(EVENT_TYPES),
    country: z.enum(STOREFRONTS).nullable(),
    min_stars: z.int().min(1).max(5),
    max_stars: z.int().min(1).max(5),
    delta: z.number().nullable(),
    threshold: z.number().nullable(),
    ...filterDetail,
    created_at: z.iso
      .datetime()
      .meta({ description: 'Time of its creation or of the last change of its filter.' }),
  })
  .meta({ id: 'WatchSet' })
export type WatchSet = z.infer<typeof watchSet>

const bodyErrors = {
  400: 'A field is missing or invalid; the message names it and the allowed values.',
  413: `The body has more than ${BODY_BYTES_MAX} bytes.`,
  415: 'The body is not application/json.',
}

export const watchSetRoutes = {
  list_watch_sets: {
    method: 'GET',
    path: '/hooks/{id}/watch-sets',
    tag: 'Hooks',
    scopes: ['hooks', 'read'],
    summary: 'List the watch sets of a hook',
    description: 'The rules of the hook for several or all apps, oldest first.',
    params: hookParams,
    success: { status: 200, description: 'All watch sets of the hook.', schema: z.array(watchSet) },
    errors: { 404: NO_HOOK },
  },
  create_watch_set: {
    method: 'POST',
    path: '/hooks/{id}/watch-sets',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Subscribe a hook to several apps',
    description:
      'Gives the hook one watch for each of the apps, with the same filter. A set of `all` apps gets a watch for each app that is added later. A watch gets events from its creation on. If several watches of a hook match, the hook gets one event.',
    params: hookParams,
    body: watchSetBody,
    success: { status: 200, description: 'The created watch set.', schema: watchSet },
    errors: {
      ...bodyErrors,
      404: NO_HOOK,
      409: 'The hook has reached its limit of watches, or the account its limit of tracked storefronts.',
    },
  },
  change_watch_set: {
    method: 'PUT',
    path: '/hooks/{id}/watch-sets/{set_id}',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Replace a watch set',
    description:
      'Replaces the apps and the filter. New apps, and all apps after a change of the filter, get events from now on. Apps that were in the set, with an unchanged filter, are not affected.',
    params: setParams,
    body: watchSetBody,
    success: { status: 200, description: 'The changed watch set.', schema: watchSet },
    errors: {
      ...bodyErrors,
      404: NO_SET,
      409: 'The account has reached its limit of tracked storefronts.',
    },
  },
  delete_watch_set: {
    method: 'DELETE',
    path: '/hooks/{id}/watch-sets/{set_id}',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Remove a watch set',
    description: 'Removes the set with its watches. Pending deliveries are still sent.',
    params: setParams,
    success: { status: 204, description: 'The watch set no longer exists.' },
    errors: { 404: NO_SET },
  },
} as const satisfies Record<string, Route>
