import { marketOf } from '../../../model/market.ts'
import type { Storefront } from '../../../model/vocabulary.ts'
import {
  CHECKED_TERM,
  type SourceCheck,
  verdictOfRating,
  verdictOfReviews,
  verdictOfSearch,
} from '../source-check.ts'
import { createGoogle, type GoogleDeps } from './google.ts'
import { REVIEW_REQUESTS } from './known-formats.ts'
import { firstPageOf } from './reviews.ts'

/** Every source of Google Play, without fallbacks. */
export function googleSourceChecks(
  deps: Required<GoogleDeps>,
  { appId, storefront }: { readonly appId: string; readonly storefront: Storefront },
): SourceCheck[] {
  const google = createGoogle(deps)
  const market = marketOf('google', 'reviews', storefront)
  const reviews = REVIEW_REQUESTS.map(
    (request): SourceCheck => ({
      source: request.source,
      serves: 'reviews',
      ask: async (pace, signal) => {
        const page = await firstPageOf(deps, request, { appId, market }, pace, signal)
        // An unknown app answers in the same way.
        return verdictOfReviews(
          page.kind === 'empty' ? { kind: 'empty', detail: 'The source lists no reviews.' } : page,
        )
      },
    }),
  )
  return [
    ...reviews,
    {
      source: 'details',
      serves: 'rating',
      ask: async (pace, signal) => {
        const ratings = await google.ratings({ appIds: [appId], storefront }, pace, signal)
        const answer = ratings.get(appId)
        if (answer === undefined) throw new Error('The page has no answer for its app.')
        return verdictOfRating(answer)
      },
    },
    {
      source: 'search',
      serves: 'search',
      ask: async (pace, signal) =>
        verdictOfSearch(await google.search({ term: CHECKED_TERM, storefront, limit: 5 }, pace, signal)),
    },
  ]
}
