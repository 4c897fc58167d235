import type { Storefront } from '../../../model/vocabulary.ts'
import {
  CHECKED_TERM,
  type SourceCheck,
  verdictOfRating,
  verdictOfReviews,
  verdictOfSearch,
} from '../source-check.ts'
import { type AppleDeps, createApple } from './apple.ts'
import { SOURCES } from './reviews.ts'
import type { EmptyReason } from './source.ts'

/** Every source of Apple, without fallbacks. */
export function appleSourceChecks(
  deps: Required<Pick<AppleDeps, 'egress' | 'itunesUrl' | 'webUrl' | 'timeoutMs'>>,
  { appId, storefront }: { readonly appId: string; readonly storefront: Storefront },
): SourceCheck[] {
  const apple = createApple(deps)
  const reviews = SOURCES.map(
    (source): SourceCheck => ({
      source: source.name,
      serves: 'reviews',
      ask: async (pace, signal) => {
        const answer = await source.reviews(deps, { appId, storefront, position: 0 }, { pace, signal })
        switch (answer.kind) {
          case 'reviews':
            return verdictOfReviews(
              { ...answer, kind: 'ok', source: source.name, next: null },
              source.newestFirst,
            )
          case 'empty':
            return verdictOfReviews({ kind: 'empty', detail: EMPTY[answer.reason] })
          case 'failed':
            return verdictOfReviews(answer.failure)
        }
      },
    }),
  )
  return [
    ...reviews,
    {
      source: 'lookup',
      serves: 'rating',
      ask: async (pace, signal) => {
        const ratings = await apple.ratings({ appIds: [appId], storefront }, pace, signal)
        const answer = ratings.get(appId)
        if (answer === undefined) throw new Error('The lookup has no answer for its app.')
        return verdictOfRating(answer)
      },
    },
    {
      source: 'search',
      serves: 'search',
      ask: async (pace, signal) =>
        verdictOfSearch(await apple.search({ term: CHECKED_TERM, storefront, limit: 5 }, pace, signal)),
    },
  ]
}

const EMPTY: Readonly<Record<EmptyReason, string>> = {
  end: 'No reviews on this page.',
  missing: 'The page is missing, although the source lists reviews on it.',
  inconclusive: 'No reviews, which does not prove that there are none.',
  no_reviews: 'The source lists no reviews.',
  unknown_app: 'The source does not know the app.',
}
