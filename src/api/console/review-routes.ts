import { z } from 'zod'
import {
  type ReviewCount,
  ReviewFilter,
  type ReviewsPage,
  ReviewsQuery,
  type ReviewView,
  type TranslatedReview,
} from '../../contract/console/reviews.ts'
import type { Operations } from '../../operations/operations.ts'
import type { ReviewCursor, ReviewFilter as StoredFilter } from '../../storage/port/reports.ts'
import { ApiError } from '../errors.ts'
import { sendExport } from '../export.ts'
import { REVIEW_COLUMNS, reviewCells, reviewCursorOf, reviewCursorText } from '../review-table.ts'
import { type Route, route } from '../route.ts'
import { presentReview } from './review-view.ts'

export type ReviewDeps = { readonly operations: Pick<Operations, 'reviews'> }

const ExportQuery = ReviewFilter.extend({
  format: z.enum(['csv', 'jsonl'], { error: 'format: csv or jsonl' }).default('csv'),
})

export function reviewRoutes({ operations: { reviews } }: ReviewDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/reviews',
      query: ReviewsQuery,
      async run({ caller, query }): Promise<ReviewsPage> {
        const { cursor, limit, ...filter } = query
        const page = await reviews.list(caller.accountId, filterOf(filter), {
          limit,
          before: cursor === undefined ? null : cursorOf(cursor),
        })
        return {
          reviews: page.reviews.map(presentReview),
          next: reviewCursorText(page.next),
        }
      },
    }),

    route({
      method: 'GET',
      path: '/reviews/count',
      query: ReviewFilter,
      run: ({ caller, query }): Promise<ReviewCount> => reviews.count(caller.accountId, filterOf(query)),
    }),

    route({
      method: 'GET',
      path: '/reviews/export',
      query: ExportQuery,
      async run({ caller, query: { format, ...filter }, reply }) {
        const pages = reviews.pages(caller.accountId, filterOf(filter))
        return sendExport(reply, 'reviews', format, REVIEW_TABLE, pages)
      },
    }),

    route({
      method: 'POST',
      path: '/reviews/:fingerprint/translation',
      run: ({ caller, param }): Promise<TranslatedReview> =>
        reviews.translate(caller.accountId, param('fingerprint')),
    }),

    route({
      method: 'GET',
      path: '/reviews/:fingerprint',
      async run({ caller, param }): Promise<ReviewView> {
        const { review, events } = await reviews.get(caller.accountId, param('fingerprint'))
        return {
          ...presentReview(review),
          enrichedBy: review.enrichedBy,
          enrichmentFailure: review.enrichmentFailure,
          events: events.map(({ eventId, hookId, hookName, targetUrl, status, attempts }) => ({
            eventId,
            hookId,
            name: hookName,
            targetUrl,
            status,
            attempts,
          })),
        }
      },
    }),
  ]
}

function filterOf({ since, until, storefront, ...rest }: ReviewFilter): StoredFilter {
  return { ...rest, storefronts: storefront && [storefront], since: dateOf(since), until: dateOf(until) }
}

export function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

function cursorOf(text: string): ReviewCursor {
  const cursor = reviewCursorOf(text)
  if (cursor === null) throw new ApiError('invalid', 'cursor: use `next` of the previous page')
  return cursor
}

const REVIEW_TABLE = { columns: REVIEW_COLUMNS, cellsOf: reviewCells, jsonOf: presentReview }
