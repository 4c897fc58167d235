import type { Log } from '../../../runtime/log.ts'
import type { ReviewsPage } from '../appstore.ts'
import { isAppleAppId, noSuchApp } from './app-id.ts'
import { appPage } from './app-page.ts'
import type { AskDeps, Host, Turn } from './ask.ts'
import { type Cursor, FIRST, readCursor, writeCursor } from './cursor.ts'
import { jsonFeed, xmlFeed } from './feed.ts'
import { type Findings, firstPageVerdict, isNone, laterPageVerdict, storesEnd } from './no-reviews.ts'
import type { ReviewSource } from './source.ts'
import { userReviewsRow } from './user-reviews-row.ts'
import { webReviews } from './web-reviews.ts'

/** In the order in which they are asked: each gives less than the one before it. */
const SOURCES: readonly ReviewSource[] = [jsonFeed, xmlFeed, webReviews, userReviewsRow, appPage]

/**
 * Reviews by which a source that takes over a walk starts earlier: its index may lag behind the one before, and a
 * review shown twice costs nothing. Chosen: one page of the web source.
 */
const OVERLAP_REVIEWS = 20

export type ReviewsDeps = AskDeps & { readonly log: Log }

/**
 * One page of an app's newest reviews, from the first of Apple's sources that gives some. A first page takes at most
 * six requests: the feed, the feed again in its other form, the web store, userReviewsRow, the app's page, and a
 * lookup that tells an app without reviews from one that is gone; a later page at most four. A source that blocks us,
 * or whose host cannot be reached, ends that host for this call.
 * A walk goes on with the source that served it and only ever moves on to a later one, so it always ends.
 */
export async function reviewsPage(
  deps: ReviewsDeps,
  query: { readonly appId: string; readonly market: string; readonly cursor: string | null },
  turn: Turn,
): Promise<ReviewsPage> {
  const { appId, market: storefront } = query
  if (!isAppleAppId(appId)) return noSuchApp('rss', appId)
  const cursor = query.cursor === null ? FIRST : readCursor(query.cursor)
  const closed = new Set<Host>()
  const findings: Findings = { failures: [], nothings: [] }

  for (const source of sourcesFor(cursor)) {
    if (closed.has(source.host)) continue
    const position = positionFor(source, cursor)
    const answer = await source.reviews(deps, { appId, storefront, position }, turn)
    if (answer.kind === 'reviews') {
      const { reviews, next } = answer
      const cursorAfter =
        next === null ? null : writeCursor({ source: source.name, position: next, holes: 0 })
      const page = { kind: 'ok', source: source.name, reviews, next: cursorAfter } as const
      return source === appPage ? { ...page, partial: true } : page
    }
    if (answer.kind === 'failed') {
      // A changed shape can hide behind a source that still serves, so it is told at once.
      const level = answer.trouble.kind === 'changed' ? 'warn' : 'debug'
      const { kind: outcome, detail } = answer.trouble
      deps.log[level]('apple.source_failed', {
        source: source.name,
        app_id: appId,
        storefront,
        outcome,
        detail,
      })
      if (answer.ends === 'visit') return answer.trouble
      if (answer.ends === 'host') closed.add(source.host)
      findings.failures.push(answer)
      continue
    }
    findings.nothings.push({ source: source.name, means: answer.means, next: answer.next })
    if (cursor.position > 0 ? storesEnd(findings, cursor) !== null : isNone(findings)) break
  }
  return cursor.position > 0
    ? laterPageVerdict(findings, cursor, closed)
    : await firstPageVerdict(deps, { appId, storefront }, findings, closed, turn)
}

function sourcesFor(cursor: Cursor): readonly ReviewSource[] {
  const later = SOURCES.slice(SOURCES.findIndex((source) => source.name === cursor.source))
  return cursor.position === 0 || cursor.source === 'page'
    ? later
    : later.filter((source) => source !== appPage)
}

function positionFor(source: ReviewSource, cursor: Cursor): number {
  const sameIndex = source.name === cursor.source || source === xmlFeed
  return sameIndex ? cursor.position : Math.max(0, cursor.position - OVERLAP_REVIEWS)
}
