import { publicMarketOf } from './market.ts'
import type { Review } from './review.ts'

/**
 * Which reviews of two sources are the same review. The sources of a store have different ids, dates and line breaks, so a
 * change of source links reviews by a known id or by content. Pure.
 */

/** A review of one source, with what links it to another source. */
export type LinkableReview = {
  /** The identity in its source. */
  readonly key: string
  readonly market: string
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  /** The date that its source shows. */
  readonly at: Date
}

/** Google's markets are languages, which its sources decide differently. */
export function linkableOf(review: Review): LinkableReview {
  return {
    key: review.fingerprint,
    market: review.store === 'google' ? '' : publicMarketOf(review.market),
    rating: review.rating,
    title: review.title,
    body: review.body,
    author: review.author,
    at: review.shownAt,
  }
}

const HOUR_MS = 3_600_000

/**
 * Dates of one review in two sources differ by at most this: time zones (Apple shows -07:00 in winter too), clocks, and
 * dates without a time.
 */
export const DATE_TOLERANCE_MS = 26 * HOUR_MS

/** Google shows this name, in the language of the page, for people without a public name. */
const GENERIC_AUTHORS = new Set(['', 'a google user', 'google user', 'anonymous'])

/**
 * Links reviews of two sources one to one: the keys of `theirs`, by the key of `ours`. The strongest evidence first:
 * 1. the same author and text, whatever the dates, since a person has one review of an app;
 * 2. the same text and stars at about the same time, of the same author or both without a known one;
 * 3. the same author, if only one review on each side is left of this author: it was edited in between;
 * 4. as 2, if only one author is known.
 * Among equal candidates the nearest in time is linked, so that of several equal texts each is linked once.
 */
export function linkReviews(
  ours: readonly LinkableReview[],
  theirs: readonly LinkableReview[],
): Map<string, string> {
  const links = new Map<string, string>()
  const left = { ours: distinct(ours), theirs: distinct(theirs) }
  const link = (pairs: readonly Pair[]) => {
    const taken = new Set<string>()
    for (const { our, their } of pairs.toSorted((a, b) => a.distanceMs - b.distanceMs)) {
      if (links.has(our.key) || taken.has(their.key)) continue
      links.set(our.key, their.key)
      taken.add(their.key)
    }
    left.ours = left.ours.filter(({ key }) => !links.has(key))
    left.theirs = left.theirs.filter(({ key }) => !taken.has(key))
  }
  link(pairsOf(left.ours, left.theirs, (review) => named(review, textOf(review))))
  const sameText = (isOnePerson: (our: string | null, their: string | null) => boolean) =>
    pairsOf(left.ours, left.theirs, (review) => `${review.market} ${review.rating} ${textOf(review)}`).filter(
      ({ our, their, distanceMs }) =>
        distanceMs <= DATE_TOLERANCE_MS && isOnePerson(authorOf(our), authorOf(their)),
    )
  link(sameText((our, their) => our === their))
  link(pairsOf(onlyOfAuthor(left.ours), onlyOfAuthor(left.theirs), (review) => named(review, '')))
  link(sameText((our, their) => our === null || their === null))
  return links
}

type Pair = { readonly our: LinkableReview; readonly their: LinkableReview; readonly distanceMs: number }

/** All pairs with the same value of `groupOf`; null is in no pair. */
function pairsOf(
  ours: readonly LinkableReview[],
  theirs: readonly LinkableReview[],
  groupOf: (review: LinkableReview) => string | null,
): Pair[] {
  const groups = Map.groupBy(theirs, groupOf)
  return ours.flatMap((our) => {
    const group = groupOf(our)
    return (group === null ? [] : (groups.get(group) ?? [])).map((their) => ({
      our,
      their,
      distanceMs: Math.abs(our.at.getTime() - their.at.getTime()),
    }))
  })
}

/** A group of one person in one market; null for an unknown or generic author. */
function named(review: LinkableReview, text: string): string | null {
  const author = authorOf(review)
  return author === null ? null : JSON.stringify([review.market, author, text])
}

function onlyOfAuthor(reviews: readonly LinkableReview[]): LinkableReview[] {
  return [...Map.groupBy(reviews, (review) => named(review, '')).values()].flatMap((group) =>
    group.length === 1 ? group : [],
  )
}

function authorOf({ author }: LinkableReview): string | null {
  const name = normalized(author ?? '')
  return GENERIC_AUTHORS.has(name.toLowerCase()) ? null : name
}

/** Title and body together, because one source has a title where another has it in the body. */
function textOf({ title, body }: LinkableReview): string {
  return normalized(`${title ?? ''} ${body}`)
}

function normalized(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

function distinct(reviews: readonly LinkableReview[]): LinkableReview[] {
  return [...new Map(reviews.map((review) => [review.key, review])).values()]
}

/** Stores show a review at most this long after its date. */
export const STORE_LAG_MS = 48 * HOUR_MS

/**
 * Until when a source was read, from the time of its last good poll: the `coveredUntil` of `afterChange`. A clock that is ahead of its
 * reference by `aheadMs` may have been wrong at the poll. The poll was then at its time by the reference, or after the newest date that
 * the source showed, if that is later. So reviews from after a wrong clock went ahead are not taken for old ones.
 */
export function coveredUntilOf(lastOkAt: Date, aheadMs: number, newestAt: Date | null): Date {
  if (aheadMs <= 0) return lastOkAt
  const byReferenceMs = lastOkAt.getTime() - aheadMs
  return new Date(Math.min(lastOkAt.getTime(), Math.max(byReferenceMs, newestAt?.getTime() ?? byReferenceMs)))
}

/**
 * What a review means to an account that changed the source: `known` if the other source showed it, `old` if the other
 * source had the time to show it and did not, else `new`. `coveredUntil`: the last good poll of the other source; null
 * without one.
 */
export function afterChange(
  review: Pick<LinkableReview, 'at'>,
  isLinked: boolean,
  coveredUntil: Date | null,
): 'known' | 'old' | 'new' {
  if (isLinked) return 'known'
  return coveredUntil !== null && review.at.getTime() < coveredUntil.getTime() - STORE_LAG_MS ? 'old' : 'new'
}
