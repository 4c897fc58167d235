import { counted } from '../../model/counted.ts'
import { marketOf } from '../../model/market.ts'
import { ORDERED_REVIEWS_MIN, orderProblem } from '../../model/newest-first.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import type { AppStore, AppsAnswer, Pace, RatingAnswer, SourcePageAnswer, StoreFailure } from './appstore.ts'

/** A source of a store that is requested once, by itself, to compare its answer with the known shape. */
export type SourceCheck = {
  readonly source: string
  readonly serves: 'reviews' | 'rating' | 'search'
  readonly ask: (pace: Pace, signal: AbortSignal) => Promise<SourceVerdict>
}

/**
 * `known`: data in the known shape. `empty`: the known shape without data. The others are the outcomes of
 * docs/stores.md, Outcomes.
 */
export type SourceVerdict = {
  readonly kind: 'known' | 'empty' | StoreFailure['kind']
  /** What was found, as a sentence. */
  readonly detail: string
  readonly reviews: number | null
  readonly newestAt: Date | null
  /** Whether the reviews are newest first; null when they prove nothing, or were not asked for so. */
  readonly newestFirst: boolean | null
  /** The answer of a source of reviews, and whether it was asked for newest first. */
  readonly asked: { readonly newestFirst: boolean; readonly answer: SourcePageAnswer } | null
}

const RATING_SOURCES = { apple: 'lookup', google: 'details' } as const

/** Every public source of a store, without fallbacks. */
export function sourceChecks(
  appStore: AppStore,
  { appId, storefront }: { readonly appId: string; readonly storefront: Storefront },
): SourceCheck[] {
  const { store } = appStore
  const market = marketOf(store, 'reviews', storefront)
  const reviews = appStore.sourcePages({ appId, market }).map(
    ({ source, newestFirst, ask }): SourceCheck => ({
      source,
      serves: 'reviews',
      ask: async (pace, signal) => verdictOfReviews(await ask(pace, signal), newestFirst),
    }),
  )
  return [
    ...reviews,
    {
      source: RATING_SOURCES[store],
      serves: 'rating',
      ask: async (pace, signal) => {
        const answer = (await appStore.ratings({ appIds: [appId], storefront }, pace, signal)).get(appId)
        if (answer === undefined) throw new Error('The answer has no rating of its app.')
        return verdictOfRating(answer)
      },
    },
    {
      source: 'search',
      serves: 'search',
      ask: async (pace, signal) =>
        verdictOfSearch(await appStore.search({ term: CHECKED_TERM, storefront, limit: 5 }, pace, signal)),
    },
  ]
}

/** `newestFirst`: the source was asked for that order. */
export function verdictOfReviews(page: SourcePageAnswer, newestFirst = true): SourceVerdict {
  const asked = { newestFirst, answer: page }
  if (page.kind !== 'ok') return { ...verdict(page.kind, page.detail), asked }
  const { reviews, malformed = [] } = page
  const problem = newestFirst ? orderProblem(reviews) : null
  const isProven = newestFirst && reviews.length >= ORDERED_REVIEWS_MIN
  const order = problem !== null ? `, but ${problem}` : isProven ? ', newest first' : ''
  const newestMs = Math.max(...reviews.map(({ shownAt }) => shownAt.getTime()))
  const more =
    malformed.length === 0
      ? ''
      : ` ${counted(malformed.length, 'row')} cannot be read: ${malformed[0]?.reason}.`
  return {
    kind: problem !== null ? 'changed' : reviews.length === 0 ? 'empty' : 'known',
    detail: `${counted(reviews.length, 'review')}${order}.${more}`,
    reviews: reviews.length,
    newestAt: reviews.length === 0 ? null : new Date(newestMs),
    newestFirst: isProven ? problem === null : null,
    asked,
  }
}

function verdictOfRating(answer: RatingAnswer): SourceVerdict {
  if (answer.kind === 'empty') return verdict('empty', 'The app has no ratings here.')
  if (answer.kind !== 'ok') return verdict(answer.kind, answer.detail)
  const { micros, count } = answer.rating
  return verdict('known', `${micros / 1e6} of 5 from ${counted(count, 'rating')}.`)
}

function verdictOfSearch(answer: AppsAnswer): SourceVerdict {
  if (answer.kind !== 'ok') return verdict(answer.kind, answer.detail)
  return answer.apps.length === 0
    ? verdict('empty', 'No apps found.')
    : verdict('known', `${counted(answer.apps.length, 'app')} found.`)
}

export function verdict(kind: SourceVerdict['kind'], detail: string): SourceVerdict {
  return { kind, detail, reviews: null, newestAt: null, newestFirst: null, asked: null }
}

/** A search term that finds apps in every store. */
const CHECKED_TERM = 'notes'
