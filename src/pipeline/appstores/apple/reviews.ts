import { orderProblem } from '../../../model/newest-first.ts'
import type { Log } from '../../../runtime/log.ts'
import type { ReviewsPage, SourcePage } from '../appstore.ts'
import { isAppleAppId, noSuchApp } from './app-id.ts'
import { appPage } from './app-page.ts'
import { type Cursor, FIRST, readCursor, writeCursor } from './cursor.ts'
import { jsonFeed, xmlFeed } from './feed.ts'
import {
  confirmsNoReviews,
  earlierFailures,
  endOfStore,
  type Findings,
  firstPageResult,
  laterPageResult,
  mainFailureOf,
} from './no-reviews.ts'
import {
  type Failed,
  failedAsUnordered,
  type Host,
  type RequestContext,
  type RequestDeps,
} from './request.ts'
import type { EmptyReason, ReviewSource, SourceAnswer } from './source.ts'
import { isRow, ROW_REVIEWS, userReviewsRow, userReviewsRowSorted } from './user-reviews-row.ts'
import { webReviews } from './web-reviews.ts'

/** In the order of requests: each source has fewer reviews than the one before it. */
export function reviewSources(addedSorts: readonly number[] = []): readonly ReviewSource[] {
  return [jsonFeed, xmlFeed, webReviews, userReviewsRow, ...userReviewsRowSorted(addedSorts), appPage]
}

/** The sources to compare a source with: they have a different index and show the newest reviews. */
function sourcesToCompare(source: string): readonly ReviewSource[] {
  const sources = [jsonFeed, webReviews, userReviewsRow]
  return source === 'page' ? [] : sources.filter(({ name }) => indexOf(name) !== indexOf(source))
}

/** The forms of the feed show the same reviews, and so do the orders of `userReviewsRow`. */
function indexOf(source: string): string {
  return source.split('_', 1)[0] ?? source
}

/**
 * A source that takes over from another starts this many reviews earlier, because its index may lag. One page of the
 * web source; duplicates cost nothing.
 */
const OVERLAP_REVIEWS = 20

export type ReviewsDeps = RequestDeps & { readonly log: Log; readonly sources: readonly ReviewSource[] }

/**
 * One page of an app's newest reviews, from the first of Apple's sources with reviews. A first page takes at most six requests, and one for
 * each other order of userReviewsRow: the feed, its other form, the web store, userReviewsRow, the app page, and a lookup to tell an app
 * without reviews from one that is gone. A later page takes at most four. A first page starts with `startWith`, the source that served
 * last; usually that is the only request. When a source blocks us or is unreachable, this call makes no more requests to its host. Paging
 * stays with its source or moves to a later one, so it always ends.
 */
export async function reviewsPage(
  deps: ReviewsDeps,
  query: {
    readonly appId: string
    readonly market: string
    readonly cursor: string | null
    readonly startWith?: string | null
    readonly without?: ReadonlySet<string>
  },
  context: RequestContext,
): Promise<ReviewsPage> {
  const { appId, market: storefront } = query
  if (!isAppleAppId(appId)) return noSuchApp('rss', appId)
  const cursor = query.cursor === null ? FIRST : readCursor(query.cursor)
  const blockedHosts = new Set<Host>()
  const findings: Findings = { failures: [], emptyAnswers: [] }
  const unordered: Reviews[] = []

  const sources =
    query.cursor === null
      ? permitted(sourcesFor(deps.sources, cursor, query.startWith ?? null), query.without)
      : sourcesFor(deps.sources, cursor, null)
  for (const source of sources) {
    if (blockedHosts.has(source.host) || !isUseful(source, unordered, cursor, query.startWith)) continue
    const position = positionFor(source, cursor)
    const answer = await source.reviews(deps, { appId, storefront, position }, context)
    if (answer.kind === 'reviews') {
      const isChecked = source.newestFirst && (cursor.newestFirst || source.name !== cursor.source)
      const problem = isChecked ? orderProblem(answer.reviews) : null
      if (problem === null) return pageOf({ source, answer }, findings, isChecked)
      const failure = failedAsUnordered(source.name, problem)
      logFailure(deps.log, source, { appId, storefront }, failure)
      findings.failures.push(failure)
      unordered.push({ source, answer })
      continue
    }
    if (answer.kind === 'failed') {
      logFailure(deps.log, source, { appId, storefront }, answer)
      if (answer.ends === 'poll') return answer.failure
      if (answer.ends === 'host') blockedHosts.add(source.host)
      findings.failures.push(answer)
      continue
    }
    findings.emptyAnswers.push({ source: source.name, reason: answer.reason, next: answer.next })
    if (cursor.position > 0 ? endOfStore(findings, cursor) !== null : confirmsNoReviews(findings)) break
  }
  const [most] = unordered.toSorted((a, b) => b.answer.reviews.length - a.answer.reviews.length)
  if (most !== undefined) return pageOf(most, findings, false)
  return cursor.position > 0
    ? laterPageResult(findings, cursor, blockedHosts)
    : await firstPageResult(deps, { appId, storefront }, findings, blockedHosts, context)
}

/** See `AppStore`. At most two requests. All sources use the same review ids. */
export async function otherReviewsPage(
  deps: ReviewsDeps,
  query: {
    readonly appId: string
    readonly market: string
    readonly than: string
    readonly without?: ReadonlySet<string>
  },
  context: RequestContext,
): Promise<ReviewsPage> {
  const { appId, market: storefront } = query
  const findings: Findings = { failures: [], emptyAnswers: [] }
  for (const source of permitted(sourcesToCompare(query.than), query.without)) {
    const answer = await source.reviews(deps, { appId, storefront, position: 0 }, context)
    if (answer.kind === 'reviews') {
      const problem = orderProblem(answer.reviews)
      if (problem === null) return pageOf({ source, answer }, findings, true)
      findings.failures.push(failedAsUnordered(source.name, problem))
      continue
    }
    if (answer.kind === 'failed') {
      logFailure(deps.log, source, { appId, storefront }, answer)
      if (answer.ends === 'poll') return answer.failure
      findings.failures.push(answer)
    } else findings.emptyAnswers.push({ source: source.name, reason: answer.reason, next: answer.next })
  }
  return mainFailureOf(findings)
}

/** See `AppStore`. */
export function sourcePages(
  deps: ReviewsDeps,
  { appId, market: storefront }: { readonly appId: string; readonly market: string },
): SourcePage[] {
  return deps.sources.map(({ name, newestFirst, reviews }) => ({
    source: name,
    index: indexOf(name),
    newestFirst,
    ask: async (pace, signal) => {
      const answer = await reviews(deps, { appId, storefront, position: 0 }, { pace, signal })
      if (answer.kind === 'failed') return answer.failure
      return answer.kind === 'empty'
        ? { kind: 'empty', detail: EMPTY[answer.reason] }
        : { ...answer, kind: 'ok', source: name, next: null }
    },
  }))
}

const EMPTY: Readonly<Record<EmptyReason, string>> = {
  end: 'No reviews on this page.',
  missing: 'The page is missing, although the source lists reviews on it.',
  inconclusive: 'No reviews, which does not prove that there are none.',
  no_reviews: 'The source lists no reviews.',
  unknown_app: 'The source does not know the app.',
}

/** An answer with reviews. */
type Reviews = {
  readonly source: ReviewSource
  readonly answer: Extract<SourceAnswer, { kind: 'reviews' }>
}

/** Whether a request can give more than the answers so far. */
function isUseful(
  { name, newestFirst, insteadOf }: ReviewSource,
  unordered: readonly Reviews[],
  cursor: Cursor,
  startWith: string | null | undefined,
): boolean {
  if (insteadOf === undefined) return newestFirst || unordered.length === 0
  return (
    name === cursor.source || name === startWith || unordered.some(({ source }) => source.name === insteadOf)
  )
}

/**
 * A page that is not newest first is partial: a new review may be anywhere in the list, so paging goes on to the depth of the source.
 */
function pageOf({ source, answer }: Reviews, findings: Findings, newestFirst: boolean): ReviewsPage {
  const { reviews, malformed, next } = answer
  const cursor =
    next === null ? null : writeCursor({ source: source.name, position: next, skipped: 0, newestFirst })
  const page = { kind: 'ok', source: source.name, reviews, next: cursor } as const
  return {
    ...page,
    ...(malformed.length === 0 ? {} : { malformed }),
    ...(newestFirst ? {} : { partial: true }),
    ...earlierFailures(findings),
  }
}

/** Another source may serve. The change of the source is reported once for the store (collect/store-sources.ts). */
function logFailure(
  log: Log,
  source: ReviewSource,
  app: { readonly appId: string; readonly storefront: string },
  { failure }: Failed,
): void {
  log.debug('apple.source_failed', {
    source: source.name,
    app_id: app.appId,
    storefront: app.storefront,
    outcome: failure.kind,
    detail: failure.detail,
  })
}

function sourcesFor(
  sources: readonly ReviewSource[],
  cursor: Cursor,
  startWith: string | null,
): readonly ReviewSource[] {
  if (cursor.position === 0 && startWith !== null) {
    const first = sources.filter((source) => source.name === startWith)
    return [...first, ...sources.filter((source) => source.name !== startWith)]
  }
  const later = sources.slice(sources.findIndex((source) => source.name === cursor.source))
  return cursor.position === 0 || cursor.source === 'page'
    ? later
    : later.filter((source) => source !== appPage)
}

/** All of them if none is left. */
function permitted(
  sources: readonly ReviewSource[],
  without: ReadonlySet<string> = new Set(),
): readonly ReviewSource[] {
  const left = sources.filter(({ name }) => !without.has(name))
  return left.length === 0 ? sources : left
}

/** userReviewsRow begins at whole pages, so that a position within one means that a page was not full (no-reviews.ts). */
function positionFor(source: ReviewSource, cursor: Cursor): number {
  if (source.name === cursor.source || source === xmlFeed) return cursor.position
  const from = Math.max(0, cursor.position - OVERLAP_REVIEWS)
  return isRow(source.name) ? from - (from % ROW_REVIEWS) : from
}
