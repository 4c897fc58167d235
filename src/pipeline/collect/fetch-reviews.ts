import type { FeedSources, PollOutcome } from '../../model/feed.ts'
import { type Review, reviewOf } from '../../model/review.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FeedStorage, LeasedFeed } from '../../storage/port/feeds.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { AppStore, Pace, ReviewsPage, StoreFailure } from '../appstores/appstore.ts'
import { createFirstPageFetcher, type FirstPageFetcher } from './first-page.ts'
import { createMalformedRows, type MalformedRows } from './malformed-rows.ts'
import { createReviewDating, type ReviewDating } from './review-dating.ts'
import type { StoreSources } from './store-sources.ts'

export type FetchReviewsDeps = {
  readonly appStore: AppStore
  readonly feeds: Pick<FeedStorage, 'known' | 'knownMalformedRows' | 'ratingsGrowth'>
  readonly hooks: Pick<HookStorage, 'watchedStorefronts'>
  readonly storeSources: StoreSources
  readonly clock: Clock
}

/** The reviews of a feed's pages, fetched by one poll. */
export type FetchedReviews = {
  /** `ok` or `empty`, or the failure that ended it. `reviews` may contain some even after a failure. */
  readonly outcome: PollOutcome
  readonly source: string
  readonly detail: string | null
  readonly raw: string | null
  readonly retryAfterMs: number
  /** Newest first, without duplicates. */
  readonly reviews: readonly Review[]
  readonly malformedRows: MalformedRows
  /** The pages of all quarantined rows were read. */
  readonly searchedAll: boolean
  /** The state of the store's sources to store with the feed. */
  readonly sources: FeedSources
  /** Answers in a changed format from sources that a fallback replaced. */
  readonly changedSources: readonly StoreFailure[]
  readonly pages: number
  /** Pages may be missing: the next poll must not stop at the first known page. */
  readonly incomplete: boolean
  /** It ended because the service is stopping or the store is blocked. */
  readonly refused: boolean
}

/**
 * How many reviews to read, on pages that are entirely older than any watch, if known pages do not end the poll. They contain no events,
 * but reviews that are edited later must be known by then. Google serves hundreds of thousands of reviews; Apple's sources end after 500.
 */
const PAST_REVIEWS_MAX = 1_500
/** Pages in a row without a review that is new to this poll: the store's cursor repeats. */
const STALE_PAGES_MAX = 3

/**
 * Fetches pages until a whole page is known, or to the store's end. One known review proves nothing, because an edited
 * review returns to the top (docs/stores.md, Google reviews). A feed's first poll, and a poll after an incomplete one,
 * continue past known pages until 1,500 reviews are older than the forward-looking time. `untilMs` is the time limit.
 */
export async function fetchReviews(
  deps: FetchReviewsDeps,
  feed: LeasedFeed,
  untilMs: number,
  pace: Pace,
  signal: AbortSignal,
): Promise<FetchedReviews> {
  const permits = trackRefusals(pace)
  const progress = await startFetch(deps, feed, permits.pace, signal)
  while (true) {
    const page = await fetchPage(deps, feed, progress, permits.pace, signal)
    const end = (await endAtPage(deps, feed, progress, page)) ?? endAtTime(deps.clock, progress, untilMs)
    if (end !== null) return resultOf(progress, end, permits.refused() || signal.aborted)
  }
}

type Progress = {
  /** Known pages do not end the poll. */
  readonly toTheEnd: boolean
  readonly forwardFromMs: number
  readonly reviews: Map<string, Review>
  readonly dating: ReviewDating
  readonly sources: FirstPageFetcher
  readonly malformedRows: MalformedRows
  readonly changedSources: StoreFailure[]
  cursor: string | null
  pages: number
  /** Reviews on the last pages, which are entirely older than the forward-looking time. */
  pastReviews: number
  /** Pages in a row without a review that is new to this poll. */
  stalePages: number
  partial: boolean
  /** The poll continued past known pages to find quarantined rows. */
  searchedFurther: boolean
  source: string
}

type End = Pick<FetchedReviews, 'outcome' | 'incomplete'> &
  Partial<Pick<FetchedReviews, 'detail' | 'raw' | 'retryAfterMs'>>
type OkPage = Extract<ReviewsPage, { kind: 'ok' }>

async function startFetch(
  deps: FetchReviewsDeps,
  feed: LeasedFeed,
  pace: Pace,
  signal: AbortSignal,
): Promise<Progress> {
  const { appStore, feeds, clock } = deps
  const forwardFromMs = (feed.forwardFrom ?? clock.now()).getTime()
  return {
    toTheEnd: feed.pagingIncomplete || feed.lastOkAt === null,
    forwardFromMs,
    reviews: new Map(),
    dating: createReviewDating(appStore, feed, forwardFromMs, pace, signal),
    sources: createFirstPageFetcher(deps, feed),
    malformedRows: createMalformedRows(await feeds.knownMalformedRows(feed.id), clock.now()),
    changedSources: [],
    cursor: null,
    pages: 0,
    pastReviews: 0,
    stalePages: 0,
    partial: false,
    searchedFurther: false,
    source: '',
  }
}

async function fetchPage(
  { appStore }: FetchReviewsDeps,
  { appId, market }: LeasedFeed,
  progress: Progress,
  pace: Pace,
  signal: AbortSignal,
): Promise<ReviewsPage> {
  const { cursor, toTheEnd, sources, changedSources } = progress
  const page =
    cursor === null
      ? await sources.firstPage(pace, signal)
      : await appStore.reviewsPage({ appId, market, cursor, toTheEnd }, pace, signal)
  progress.pages += 1
  progress.source = page.source
  const earlierFailures = 'earlierFailures' in page ? (page.earlierFailures ?? []) : []
  changedSources.push(...earlierFailures.filter((failure) => failure.kind === 'changed'))
  return page
}

/** Adds a page. Returns the end, or null to continue with the next page. */
async function endAtPage(
  deps: FetchReviewsDeps,
  feed: LeasedFeed,
  progress: Progress,
  page: ReviewsPage,
): Promise<End | null> {
  if (page.kind === 'empty') {
    // An empty first page does not replace the pages that the last poll did not read.
    if (progress.pages === 1) return { outcome: 'empty', incomplete: feed.pagingIncomplete }
    return { outcome: 'ok', incomplete: page.unconfirmed === true && !feed.pagingIncomplete }
  }
  if (page.kind !== 'ok') return failedWith(page, progress.pages > 1)

  const isKnown = await addPage(deps, feed, progress, page)
  const blocked = progress.dating.blocked()
  if (blocked !== null) return failedWith(blocked, true)
  if (page.next === null) return { outcome: 'ok', incomplete: false }
  if (!progress.toTheEnd && isKnown && page.partial !== true) {
    if (!progress.malformedRows.continuePastKnown()) return { outcome: 'ok', incomplete: false }
    progress.searchedFurther = true
  }
  if (progress.pastReviews >= PAST_REVIEWS_MAX) return { outcome: 'ok', incomplete: false }
  if (progress.stalePages >= STALE_PAGES_MAX || page.next === progress.cursor) {
    return { outcome: 'ok', incomplete: true, detail: 'The pages repeat.' }
  }
  progress.cursor = page.next
  return null
}

function endAtTime(clock: Clock, { pages }: Progress, untilMs: number): End | null {
  if (clock.monotonicMs() < untilMs) return null
  return { outcome: 'ok', incomplete: true, detail: `The poll reached its time limit after ${pages} pages.` }
}

/** Adds the reviews and malformed rows of a page. Returns whether all of them were known. */
async function addPage(
  deps: FetchReviewsDeps,
  feed: LeasedFeed,
  progress: Progress,
  page: OkPage,
): Promise<boolean> {
  const { reviews, dating, malformedRows, forwardFromMs } = progress
  progress.partial ||= page.partial === true
  const rowsKnown = malformedRows.add(page.reviews, page.malformed ?? [])
  const observedAt = deps.clock.now()
  const fresh = page.reviews
    .map((review) => reviewOf(feed, review, observedAt))
    .filter((review) => !reviews.has(review.fingerprint))
  const fingerprints = fresh.map((review) => review.fingerprint)
  const known = fingerprints.length === 0 ? new Set<string>() : await deps.feeds.known(feed.id, fingerprints)
  for (const review of fresh) {
    const dated = known.has(review.fingerprint) ? review : await dating.date(review)
    if (dated !== null) reviews.set(review.fingerprint, dated)
  }
  const isPast =
    page.reviews.length > 0 && page.reviews.every((review) => review.shownAt.getTime() < forwardFromMs)
  progress.stalePages = fresh.length === 0 ? progress.stalePages + 1 : 0
  progress.pastReviews = isPast ? progress.pastReviews + page.reviews.length : 0
  return fresh.length > 0 && known.size === fresh.length && rowsKnown
}

function failedWith({ kind, detail, raw, retryAfterMs }: StoreFailure, incomplete: boolean): End {
  return { outcome: kind, incomplete, detail, raw: raw ?? null, retryAfterMs: retryAfterMs ?? 0 }
}

function resultOf(progress: Progress, end: End, refused: boolean): FetchedReviews {
  const { malformedRows, changedSources, source, pages, toTheEnd, searchedFurther } = progress
  const incomplete = end.incomplete || progress.partial || progress.dating.incomplete()
  const reviews = [...progress.reviews.values()]
  const isSearched = toTheEnd || searchedFurther || malformedRows.foundAll()
  return {
    outcome: end.outcome,
    source,
    detail: end.detail === undefined ? noteOf(progress) : end.detail,
    raw: end.raw ?? changedSources.find((failure) => failure.raw !== undefined)?.raw ?? null,
    retryAfterMs: end.retryAfterMs ?? 0,
    reviews,
    malformedRows,
    searchedAll: end.outcome === 'ok' && !incomplete && isSearched,
    sources: progress.sources.sourcesAfter(reviews),
    changedSources,
    pages,
    incomplete,
    refused,
  }
}

/** A note for the operator on a poll that did not fail; null without one. */
function noteOf({ partial, malformedRows, changedSources }: Progress): string | null {
  const malformed = malformedRows.found().length
  const notes = [
    ...(partial ? ['Reviews may be missing on a page.'] : []),
    ...(malformed === 0 ? [] : [`${malformed} ${malformed === 1 ? 'row' : 'rows'} could not be read.`]),
    ...changedSources.map((failure) => `${failure.source}: ${failure.detail}`),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}

/**
 * A pace that records whether it denied a permit. After a denied permit, the client's answer says nothing about the
 * store.
 */
export function trackRefusals(pace: Pace): { readonly pace: Pace; readonly refused: () => boolean } {
  let refused = false
  return {
    refused: () => refused,
    pace: async (signal) => {
      const permitted = await pace(signal)
      refused ||= !permitted
      return permitted
    },
  }
}
