import { z } from 'zod'
import { SENTIMENTS, STOREFRONTS, THEMES } from '../../model/vocabulary.ts'
import { says } from '../field.ts'
import type { Route } from '../route.ts'
import { appIdText, period, store } from './query.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

const version = says('app_version', 'text of at most 100 characters')
const stars = z.array(z.int()).length(5).meta({
  description: 'Numbers of reviews with one to five stars, in this order.',
})

export const reviewStatistics = z
  .object({
    since: z.iso.datetime(),
    until: z.iso.datetime(),
    interval: z.enum(INTERVALS),
    reviews: z.int(),
    stars,
    average_stars: z.number().nullable(),
    bug_reports: z.int(),
    feature_requests: z.int(),
    sentiments: z
      .array(z.object({ sentiment: z.enum(SENTIMENTS), count: z.int() }).meta({ id: 'SentimentCount' }))
      .meta({ description: 'Most frequent first.' }),
    themes: z
      .array(
        z.object({ theme: z.enum(THEMES), count: z.int(), negative: z.int() }).meta({ id: 'ThemeCount' }),
      )
      .meta({ description: 'Most frequent first; a review counts for each of its themes.' }),
    requested_features: z
      .array(
        z
          .object({
            feature_slug: z.string(),
            feature_phrase: z.string().nullable(),
            count: z.int(),
            last_at: z.iso.datetime(),
            series: z.array(z.object({ at: z.iso.datetime(), count: z.int() }).meta({ id: 'CountAt' })),
          })
          .meta({ id: 'RequestedFeature' }),
      )
      .meta({
        description: 'The 50 most requested features; `series` has the intervals with requests.',
      }),
    series: z
      .array(
        z
          .object({
            at: z.iso.datetime().meta({ description: 'Start of the interval, UTC.' }),
            reviews: z.int(),
            stars,
            negative: z.int(),
            bug_reports: z.int(),
            feature_requests: z.int(),
          })
          .meta({ id: 'StatisticsInterval' }),
      )
      .meta({ description: 'The intervals with reviews, oldest first.' }),
  })
  .meta({ id: 'ReviewStatistics' })
export type ReviewStatistics = z.infer<typeof reviewStatistics>

export const statisticsQuery = z.object({
  store: store.optional(),
  app_id: appIdText.optional(),
  country: z.enum(STOREFRONTS, says('country', `one of ${STOREFRONTS.join(', ')}`)).optional(),
  app_version: z
    .string(version)
    .max(100, version)
    .optional()
    .meta({ description: 'Reviews of this version of the app.' }),
  interval: z
    .enum(INTERVALS, says('interval', '"day", "week" or "month"'))
    .default('day')
    .meta({ description: 'Length of an interval of `series`, in UTC. Weeks start on Monday.' }),
  ...period('Published'),
})

export const statisticsRoutes = {
  get_statistics: {
    method: 'GET',
    path: '/stats',
    tag: 'Statistics',
    scopes: ['read'],
    summary: 'Show statistics of reviews',
    description:
      'Figures about reviews over a period: stars, sentiments, themes, bug reports and requested features. The default is the last 30 days of all apps; the maximum is 366 days.',
    query: statisticsQuery,
    etag: true,
    success: { status: 200, description: 'The figures.', schema: reviewStatistics },
    errors: { 400: 'A field is invalid, or the period is too long.' },
  },
} as const satisfies Record<string, Route>
