import { marketOf } from '../../../model/market.ts'
import type { Storefront } from '../../../model/vocabulary.ts'
import type { Egress } from '../../../runtime/egress/egress.ts'
import { type AddedFormats, addedRequests } from '../added-formats.ts'
import type { AppStore, RatingAnswer } from '../appstore.ts'
import { appAnswerOf, openDetails, ratingAnswerOf } from './details.ts'
import { firstPublishedAt } from './history.ts'
import { REVIEW_REQUESTS } from './known-formats.ts'
import { otherReviewsPage, reviewsPage, sourcePages } from './reviews.ts'
import { searchApps } from './search.ts'

export type GoogleDeps = {
  readonly egress: Egress
  /** `https://play.google.com`, or a simulation. */
  readonly playUrl: string
  /** Timeout of one request, 20 s by default: an app page has 1.2 MB. */
  readonly timeoutMs?: number
  readonly added?: AddedFormats['google']
}

/**
 * Google Play as a browser sees it. The market of a review feed is a language, because Play ignores the country for
 * reviews; that of a rating feed is a storefront. The app page has the name and the rating, and shows whether the app
 * exists.
 */
export function createGoogle(deps: GoogleDeps): AppStore {
  const requestDeps = {
    ...deps,
    timeoutMs: deps.timeoutMs ?? 20_000,
    requests: [...REVIEW_REQUESTS, ...addedRequests(deps.added?.review_requests)],
  }
  return {
    store: 'google',
    ratingBatchMax: 1,
    reviewSources: requestDeps.requests.map(({ source }) => source),
    reviewsPage: (query, pace, signal) => reviewsPage(requestDeps, query, pace, signal),
    otherReviewsPage: (query, pace, signal) => otherReviewsPage(requestDeps, query, pace, signal),
    sourcePages: (query) => sourcePages(requestDeps, query),
    ratings: async ({ appIds, storefront }, pace, signal) => {
      const answers = new Map<string, RatingAnswer>()
      for (const appId of appIds) {
        const details = await openDetails(requestDeps, appId, placeOf(storefront), pace, signal)
        answers.set(appId, ratingAnswerOf(details))
      }
      return answers
    },
    firstPublishedAt: (query, pace, signal) => firstPublishedAt(requestDeps, query, pace, signal),
    search: (query, pace, signal) =>
      searchApps(requestDeps, { ...query, language: placeOf(query.storefront).language }, pace, signal),
    app: async ({ appId, storefront }, pace, signal) =>
      appAnswerOf(await openDetails(requestDeps, appId, placeOf(storefront), pace, signal)),
  }
}

function placeOf(storefront: Storefront): { language: string; country: string } {
  return { language: marketOf('google', 'reviews', storefront), country: storefront }
}
