import type { ReviewCount, TranslatedReview } from '../../contract/console/reviews.ts'
import { reviewFilter } from '../../contract/v1/reviews.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { reviewFilterOf } from '../v1/reviews.ts'

export type ReviewDeps = { readonly operations: Pick<Operations, 'reviews'> }

export function reviewRoutes({ operations: { reviews } }: ReviewDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/reviews/count',
      query: reviewFilter,
      run: ({ caller, query }): Promise<ReviewCount> =>
        reviews.count(caller.accountId, reviewFilterOf(query)),
    }),

    route({
      method: 'POST',
      path: '/reviews/:fingerprint/translation',
      run: ({ caller, param }): Promise<TranslatedReview> =>
        reviews.translate(caller.accountId, param('fingerprint')),
    }),
  ]
}
