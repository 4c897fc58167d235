import type { Log } from '../../../runtime/log.ts'
import type { ReviewsPage } from '../appstore.ts'
import { isAppleAppId, noSuchApp } from './app-id.ts'
import { appPage } from './app-page.ts'
import type { AskDeps, Failed, Host, Turn } from './ask.ts'
import { type Cursor, FIRST, readCursor, writeCursor } from './cursor.ts'
import { jsonFeed, xmlFeed } from './feed.ts'
import {
  type Findings,
  firstPageVerdict,
  isNone,
  laterPageVerdict,
  mostTelling,
  passedOver,
  storesEnd,
} from './no-reviews.ts'
import type { ReviewSource, SourceAnswer } from './source.ts'
import { userReviewsRow } from './user-reviews-row.ts'
import { webReviews } from './web-reviews.ts'

/** In the order in which they are asked: each gives less than the one before it. */
export const SOURCES: readonly ReviewSource[] = [jsonFeed, xmlFeed, webReviews, userReviewsRow, appPage]

/** Whom to ask beside a source: those with an index of their own that show the newest reviews. */
const OTHERS: Readonly<Record<string, readonly ReviewSource[]>> = {
  rss: [webReviews, userReviewsRow],
  rss_xml: [webReviews, userReviewsRow],
  web: [jsonFeed, userReviewsRow],
  row: [jsonFeed, webReviews],
}

/**
 * Reviews by which a source that takes over a walk starts earlier: its index may lag behind the one before, and a
 * review shown twice costs nothing. Chosen: one page of the web source.
 */
const OVERLAP_REVIEWS = 20

export type ReviewsDeps = AskDeps & { readonly log: Log }

/**
 * One page of an app's newest reviews, from the first of Apple's sources that gives some. A first page takes at most
 * six requests: the feed, the feed again in its other form, the web store, userReviewsRow, the app's page, and a
 * lookup that tells an app without reviews from one that is gone; a later page at most four. A first page begins with
 * `startWith`, the source that served last, and then takes one request. A source that blocks us, or whose host cannot
 * be reached, ends that host for this call.
 * A walk goes on with the source that served it and only ever moves on to a later one, so it always ends.
 */
export async function reviewsPage(
  deps: ReviewsDeps,
  query: {
    readonly appId: string
    readonly market: string
    readonly cursor: string | null
    readonly startWith?: string | null
  },
  turn: Turn,
): Promise<ReviewsPage> {
  const { appId, market: storefront } = query
  if (!isAppleAppId(appId)) return noSuchApp('rss', appId)
  const cursor = query.cursor === null ? FIRST : readCursor(query.cursor)
  const closed = new Set<Host>()
  const findings: Findings = { failures: [], nothings: [] }

  for (const source of sourcesFor(cursor, query.cursor === null ? (query.startWith ?? null) : null)) {
    if (closed.has(source.host)) continue
    const position = positionFor(source, cursor)
    const answer = await source.reviews(deps, { appId, storefront, position }, turn)
    if (answer.kind === 'reviews') return pageOf(source, answer, findings)
    if (answer.kind === 'failed') {
      logFailure(deps.log, source, { appId, storefront }, answer)
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

/** As in `AppStore`. At most two requests; the reviews of another source are the reviews of the same index of ids. */
export async function otherReviewsPage(
  deps: ReviewsDeps,
  query: { readonly appId: string; readonly market: string; readonly than: string },
  turn: Turn,
): Promise<ReviewsPage> {
  const { appId, market: storefront } = query
  const findings: Findings = { failures: [], nothings: [] }
  for (const source of OTHERS[query.than] ?? []) {
    const answer = await source.reviews(deps, { appId, storefront, position: 0 }, turn)
    if (answer.kind === 'reviews') return pageOf(source, answer, findings)
    if (answer.kind === 'failed') {
      logFailure(deps.log, source, { appId, storefront }, answer)
      if (answer.ends === 'visit') return answer.trouble
      findings.failures.push(answer)
    } else findings.nothings.push({ source: source.name, means: answer.means, next: answer.next })
  }
  return mostTelling(findings)
}

function pageOf(
  source: ReviewSource,
  answer: Extract<SourceAnswer, { kind: 'reviews' }>,
  findings: Findings,
): ReviewsPage {
  const { reviews, odd, next } = answer
  const cursor = next === null ? null : writeCursor({ source: source.name, position: next, holes: 0 })
  const page = { kind: 'ok', source: source.name, reviews, next: cursor } as const
  return {
    ...page,
    ...(odd.length === 0 ? {} : { odd }),
    ...(source === appPage ? { partial: true } : {}),
    ...passedOver(findings),
  }
}

/** A changed shape can hide behind a source that still serves, so it is logged at once. */
function logFailure(
  log: Log,
  source: ReviewSource,
  app: { readonly appId: string; readonly storefront: string },
  { trouble }: Failed,
): void {
  const level = trouble.kind === 'changed' ? 'warn' : 'debug'
  log[level]('apple.source_failed', {
    source: source.name,
    app_id: app.appId,
    storefront: app.storefront,
    outcome: trouble.kind,
    detail: trouble.detail,
  })
}

function sourcesFor(cursor: Cursor, startWith: string | null): readonly ReviewSource[] {
  if (cursor.position === 0 && startWith !== null) {
    const first = SOURCES.filter((source) => source.name === startWith)
    return [...first, ...SOURCES.filter((source) => source.name !== startWith)]
  }
  const later = SOURCES.slice(SOURCES.findIndex((source) => source.name === cursor.source))
  return cursor.position === 0 || cursor.source === 'page'
    ? later
    : later.filter((source) => source !== appPage)
}

function positionFor(source: ReviewSource, cursor: Cursor): number {
  const sameIndex = source.name === cursor.source || source === xmlFeed
  return sameIndex ? cursor.position : Math.max(0, cursor.position - OVERLAP_REVIEWS)
}
