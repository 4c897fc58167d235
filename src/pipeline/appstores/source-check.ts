import type { AppsAnswer, Pace, RatingAnswer, ReviewsPage, StoreFailure } from './appstore.ts'
import { orderProblem } from './newest-first.ts'

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
}

type Page =
  | Extract<ReviewsPage, { kind: 'ok' }>
  | { readonly kind: 'empty'; readonly detail: string }
  | StoreFailure

/** `newestFirst`: the source was asked for that order. */
export function verdictOfReviews(page: Page, newestFirst = true): SourceVerdict {
  if (page.kind !== 'ok') return verdict(page.kind, page.detail)
  const { reviews, malformed = [] } = page
  const problem = newestFirst ? orderProblem(reviews) : null
  const newestMs = Math.max(...reviews.map(({ shownAt }) => shownAt.getTime()))
  const more =
    malformed.length === 0
      ? ''
      : ` ${counted(malformed.length, 'row')} cannot be read: ${malformed[0]?.reason}.`
  return {
    kind: problem !== null ? 'changed' : reviews.length === 0 ? 'empty' : 'known',
    detail: `${counted(reviews.length, 'review')}${problem === null ? '' : `, but ${problem}`}.${more}`,
    reviews: reviews.length,
    newestAt: reviews.length === 0 ? null : new Date(newestMs),
  }
}

export function verdictOfRating(answer: RatingAnswer): SourceVerdict {
  if (answer.kind === 'empty') return verdict('empty', 'The app has no ratings here.')
  if (answer.kind !== 'ok') return verdict(answer.kind, answer.detail)
  const { micros, count } = answer.rating
  return verdict('known', `${micros / 1e6} of 5 from ${counted(count, 'rating')}.`)
}

export function verdictOfSearch(answer: AppsAnswer): SourceVerdict {
  if (answer.kind !== 'ok') return verdict(answer.kind, answer.detail)
  return answer.apps.length === 0
    ? verdict('empty', 'No apps found.')
    : verdict('known', `${counted(answer.apps.length, 'app')} found.`)
}

function verdict(kind: SourceVerdict['kind'], detail: string): SourceVerdict {
  return { kind, detail, reviews: null, newestAt: null }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A search term that finds apps in every store. */
export const CHECKED_TERM = 'notes'
