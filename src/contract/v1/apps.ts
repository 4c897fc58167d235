import { z } from 'zod'
import { FEED_HEALTHS } from '../../model/feed-health.ts'
import { STOREFRONTS, STORES } from '../../model/vocabulary.ts'
import { watchedApp } from '../account.ts'
import { NOT_BLANK, OBJECT, says } from '../field.ts'
import type { Route } from '../route.ts'
import { appIdText, pageByInstant, pageOf, period, store } from './query.ts'

const country = says('country', `one of ${STOREFRONTS.join(', ')}`)
const countries = says('countries', `a list of storefronts, each one of ${STOREFRONTS.join(', ')}`)
const query = says('q', 'text of 1 to 300 characters')

const NOT_TRACKED = 'The account does not track this app.'

/** The path of one app. */
const params = z.object({
  store: z.enum(STORES, 'There is nothing at this path.').meta({ description: 'Store of the app.' }),
  app_id: z
    .string()
    .min(1, NOT_TRACKED)
    .max(255, NOT_TRACKED)
    .meta({ description: "The store's id of the app." }),
})

const storefrontRating = z
  .object({ country: z.enum(STOREFRONTS), rating: z.number(), rating_count: z.int() })
  .meta({ id: 'StorefrontRating' })

export const trackedApp = z
  .object({
    store: z.enum(STORES),
    app_id: z.string(),
    name: z.string().nullable(),
    developer: z.string().nullable(),
    icon_url: z.string().nullable(),
    countries: z.array(z.enum(STOREFRONTS)).meta({ description: 'Storefronts that the account tracks.' }),
    needed_countries: z
      .array(z.enum(STOREFRONTS))
      .meta({ description: 'Storefronts that are polled only because a hook needs them.' }),
    watched_countries: z
      .array(z.enum(STOREFRONTS))
      .meta({ description: 'Storefronts that hooks need, tracked or not: polled whatever `countries` is.' }),
    kept_countries: z.array(z.enum(STOREFRONTS)).meta({
      description:
        'Storefronts that are still polled after `DELETE /tracked-apps/{store}/{app_id}`, because watches or watch sets name the app.',
    }),
    named_by: z.object({ console: z.int(), programs: z.int() }).meta({
      id: 'NamedBy',
      description:
        'How many watches and watch sets name the app, without the sets of all apps: of destinations of the console, and of hooks that programs created.',
    }),
    ratings: z.array(storefrontRating).meta({ description: 'The last known aggregate of each storefront.' }),
    unrated_countries: z
      .array(z.enum(STOREFRONTS))
      .meta({ description: 'Storefronts in which the store shows no rating of the app yet.' }),
    reviews_7d: z.int().meta({ description: 'Reviews published in the last 7 days.' }),
    last_review_at: z.iso.datetime().nullable(),
    health: z.enum(FEED_HEALTHS).meta({
      description:
        'The worst of its feeds: `stale` if the store gives no usable answer, `changed` for an unknown format, `waiting` before the first poll. `unrated` if the only finding is that nobody has rated the app yet.',
    }),
    hooks: z.int().meta({ description: 'Hooks with watches for the app.' }),
  })
  .meta({ id: 'TrackedApp' })
export type TrackedApp = z.infer<typeof trackedApp>

export const foundApps = z
  .object({
    data: z.array(
      z
        .object({
          store: z.enum(STORES),
          app_id: z.string(),
          name: z.string(),
          developer: z.string().nullable(),
          icon_url: z.string().nullable(),
          rating: z.number().nullable(),
          rating_count: z.int().nullable(),
        })
        .meta({ id: 'FoundApp' }),
    ),
    problems: z
      .array(z.object({ store: z.enum(STORES), message: z.string() }).meta({ id: 'SearchProblem' }))
      .meta({ description: 'Stores that could not be searched.' }),
  })
  .meta({ id: 'FoundApps' })
export type FoundApps = z.infer<typeof foundApps>

export type FoundApp = FoundApps['data'][number]

export const ratingRow = z
  .object({
    store: z.enum(STORES),
    app_id: z.string(),
    country: z.enum(STOREFRONTS),
    observed_at: z.iso.datetime(),
    rating: z.number(),
    rating_count: z.int(),
  })
  .meta({ id: 'Rating', description: 'The aggregate rating of an app in a storefront at a time.' })

export const trackBody = z
  .object(
    {
      countries: z
        .array(z.enum(STOREFRONTS, countries), countries)
        .min(1, countries)
        .max(STOREFRONTS.length, countries),
    },
    OBJECT,
  )
  .meta({ id: 'TrackBody', examples: [{ countries: ['us', 'de'] }] })

export const appRoutes = {
  list_apps: {
    method: 'GET',
    path: '/apps',
    tag: 'Apps',
    scopes: ['read', 'hooks'],
    summary: 'List watched apps',
    description: 'The apps that the account watches, one entry for each storefront.',
    success: { status: 200, description: 'All watched apps.', schema: z.array(watchedApp) },
    errors: {},
  },
  search_apps: {
    method: 'GET',
    path: '/apps/search',
    tag: 'Apps',
    scopes: ['read', 'hooks'],
    summary: 'Search the stores',
    description:
      'Finds apps by a name, a store link, an id or a package name. The number of searches per minute is limited (`RADAR_ACCOUNT_APP_SEARCHES_PER_MINUTE`); the limit includes searches in the console.',
    query: z.object({
      q: z
        .string(query)
        .trim()
        .min(1, query)
        .max(300, query)
        .meta({ pattern: NOT_BLANK, description: 'A name, a store link, an id or a package name.' }),
      store: store.optional().meta({ description: 'Searches only this store.' }),
      country: z.enum(STOREFRONTS, country).default('us').meta({ description: 'Storefront to search in.' }),
    }),
    success: { status: 200, description: 'Best match first, store by store.', schema: foundApps },
    errors: { 400: '`q` is missing, or a field is not allowed.' },
  },
  list_tracked_apps: {
    method: 'GET',
    path: '/tracked-apps',
    tag: 'Apps',
    scopes: ['read'],
    summary: 'List tracked apps',
    description: 'The apps that the account tracks or has hooks for, with their ratings.',
    etag: true,
    success: {
      status: 200,
      description: 'All tracked apps, ordered by store and app id.',
      schema: z.array(trackedApp),
    },
    errors: {},
  },
  track_app: {
    method: 'PUT',
    path: '/tracked-apps/{store}/{app_id}',
    tag: 'Apps',
    scopes: ['hooks'],
    summary: 'Track an app',
    description:
      'Sets the storefronts in which the account tracks the app. Storefronts that hooks need are still polled. New storefronts are polled at once.',
    params,
    body: trackBody,
    success: { status: 204, description: 'The app is tracked.' },
    errors: {
      400: 'The storefronts are missing or not allowed.',
      404: 'The store does not exist.',
      409: 'The account has reached its limit of tracked storefronts.',
    },
  },
  untrack_app: {
    method: 'DELETE',
    path: '/tracked-apps/{store}/{app_id}',
    tag: 'Apps',
    scopes: ['hooks'],
    summary: 'Stop tracking an app',
    description:
      'Watches that name the app still poll it and create events, unless `watches` is `remove`. It is not an error if the app is not tracked.',
    params,
    query: z.object({
      watches: z.enum(['keep', 'remove'], says('watches', '"keep" or "remove"')).default('keep').meta({
        description:
          '`remove` also removes the app from the watches and watch sets that name it: with a token from those of hooks that programs created, in the console from those of its destinations. Sets of all apps lose the app in any case, unless another watch names it.',
      }),
    }),
    success: { status: 204, description: 'The app is not tracked.' },
    errors: { 400: '`watches` is not allowed.', 404: 'The store does not exist.' },
  },
  list_ratings: {
    method: 'GET',
    path: '/ratings',
    tag: 'Apps',
    scopes: ['read'],
    summary: 'List ratings of an app',
    description:
      'The aggregate rating of an app in each storefront over time, newest first: a row for each change, and at least one per day.',
    query: z.object({
      store,
      app_id: appIdText,
      country: z.enum(STOREFRONTS, country).optional(),
      ...period('Observed'),
      ...pageByInstant,
    }),
    etag: true,
    success: { status: 200, description: 'One page.', schema: pageOf('RatingPage', ratingRow) },
    errors: { 400: 'A field is missing or not allowed.', 404: NOT_TRACKED },
  },
} as const satisfies Record<string, Route>
