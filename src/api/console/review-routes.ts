import { z } from 'zod'
import {
  ReviewFilter,
  type ReviewLine,
  type ReviewsPage,
  ReviewsQuery,
  type ReviewView,
} from '../../contract/console/reviews.ts'
import type { DeliveryStorage } from '../../storage/port/deliveries.ts'
import type {
  ReportStorage,
  ReviewCursor,
  ReviewRecord,
  ReviewFilter as StoredFilter,
} from '../../storage/port/reports.ts'
import { ApiError } from '../errors.ts'
import { type Route, route } from '../route.ts'
import { sendExport } from './export.ts'

export type ReviewDeps = {
  readonly reports: Pick<ReportStorage, 'reviews' | 'review'>
  readonly deliveries: Pick<DeliveryStorage, 'list'>
}

const EXPORT_PAGE = 500
/** Events shown of one review, one per hook. */
const EVENTS_MAX = 200

const ExportQuery = ReviewFilter.extend({
  format: z.enum(['csv', 'jsonl'], { error: 'format: csv or jsonl' }).default('csv'),
})

export function reviewRoutes({ reports, deliveries }: ReviewDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/reviews',
      query: ReviewsQuery,
      async run({ caller, query }): Promise<ReviewsPage> {
        const { cursor, limit, ...filter } = query
        const page = await reports.reviews(caller.accountId, filterOf(filter), {
          limit,
          before: cursor === undefined ? null : cursorOf(cursor),
        })
        return {
          reviews: page.reviews.map(presentReview),
          next: page.next === null ? null : `${page.next.occurredAtMs}.${page.next.seq}`,
        }
      },
    }),

    route({
      method: 'GET',
      path: '/reviews/export',
      query: ExportQuery,
      async run({ caller, query: { format, ...filter }, reply }) {
        async function* pages() {
          let before: ReviewCursor | null = null
          do {
            const page = await reports.reviews(caller.accountId, filterOf(filter), {
              limit: EXPORT_PAGE,
              before,
            })
            yield page.reviews
            before = page.next
          } while (before !== null)
        }
        return sendExport(reply, 'reviews', format, REVIEW_TABLE, pages())
      },
    }),

    route({
      method: 'GET',
      path: '/reviews/:fingerprint',
      async run({ caller, param }): Promise<ReviewView> {
        const review = await reports.review(caller.accountId, param('fingerprint'))
        if (review === null)
          throw new ApiError('not_found', 'The account has no review with this fingerprint.')
        const events = await deliveries.list(
          caller.accountId,
          { occurrenceId: review.fingerprint },
          { limit: EVENTS_MAX, before: null },
        )
        return {
          ...presentReview(review),
          enrichedBy: review.enrichedBy,
          enrichmentFailure: review.enrichmentFailure,
          events: events.map(({ eventId, hookId, targetUrl, status, attempts }) => ({
            eventId,
            hookId,
            targetUrl,
            status,
            attempts,
          })),
        }
      },
    }),
  ]
}

function filterOf({ since, until, ...rest }: ReviewFilter): StoredFilter {
  return { ...rest, since: dateOf(since), until: dateOf(until) }
}

export function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

function cursorOf(text: string): ReviewCursor {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(text)
  if (match === null) throw new ApiError('invalid', 'cursor: use `next` of the previous page')
  return { occurredAtMs: Number(match[1]), seq: Number(match[2]) }
}

function presentReview(review: ReviewRecord): ReviewLine {
  return {
    fingerprint: review.fingerprint,
    store: review.store,
    appId: review.appId,
    appName: review.appName,
    reviewId: review.reviewId,
    market: review.market,
    rating: review.rating,
    title: review.title,
    body: review.body,
    author: review.author,
    appVersion: review.appVersion,
    occurredAt: review.occurredAt.toISOString(),
    observedAt: review.observedAt.toISOString(),
    edited: review.edited,
    enrichment: review.enrichment,
  }
}

const REVIEW_TABLE = {
  columns: [
    'store',
    'app_id',
    'app_name',
    'market',
    'review_id',
    'rating',
    'title',
    'body',
    'author',
    'app_version',
    'occurred_at',
    'observed_at',
    'language',
    'sentiment',
    'severity',
    'themes',
    'is_bug_report',
    'is_feature_request',
    'feature',
    'summary_en',
  ],
  cellsOf: (review: ReviewRecord) => {
    const { enrichment } = review
    return [
      review.store,
      review.appId,
      review.appName,
      review.market,
      review.reviewId,
      review.rating,
      review.title,
      review.body,
      review.author,
      review.appVersion,
      review.occurredAt.toISOString(),
      review.observedAt.toISOString(),
      enrichment?.language ?? null,
      enrichment?.sentiment ?? null,
      enrichment?.severity ?? null,
      enrichment?.themes.join(' ') ?? null,
      enrichment?.is_bug_report ?? null,
      enrichment?.is_feature_request ?? null,
      enrichment?.feature_phrase ?? null,
      enrichment?.summary_en ?? null,
    ]
  },
  jsonOf: presentReview,
}
