import type { ReviewsPage, StoreFailure } from '../appstore.ts'
import { type Cursor, writeCursor } from './cursor.ts'
import { lookUp } from './lookup.ts'
import type { Failed, Host, RequestContext, RequestDeps } from './request.ts'
import { type EmptyReason, type SourceName, withinDepth } from './source.ts'
import { isRow, ROW_REVIEWS } from './user-reviews-row.ts'

/**
 * The result when no source returns reviews. An empty feed alone proves nothing: some networks get one for every app
 * (since 2026-06), and pages disappear for minutes (measured 2026-09). A second source must confirm it: the web store
 * shows no reviews either, or another list is empty and the app has no rating.
 */

type EmptyAnswer = { readonly source: SourceName; readonly reason: EmptyReason; readonly next: number }

/** The answers of the sources so far, in their order. */
export type Findings = { readonly failures: Failed[]; readonly emptyAnswers: EmptyAnswer[] }

/** Missing pages in a row to skip. All measured gaps had one page. */
const SKIPPED_PAGES_MAX = 2

/** First page: the feed is empty and does not link to reviews, and the web store has none. */
export function confirmsNoReviews({ emptyAnswers }: Findings): boolean {
  const feeds = emptyAnswers.filter((one) => isFeed(one.source))
  const webHasNone = emptyAnswers.some(
    (one) => one.source === 'web' && (one.reason === 'no_reviews' || one.reason === 'unknown_app'),
  )
  return webHasNone && feeds.length > 0 && feeds.every((one) => one.reason !== 'missing')
}

/**
 * Later page: the store's end, when the source in use is past its end and no other source contradicts; otherwise null.
 * The JSON feed alone is not enough, since its links are only hints. Empty pages of the other sources have no last page
 * number, so reviews may be missing: paging ends as partial. After a page of userReviewsRow that was not full, one more look at the next
 * poll is enough.
 */
export function endOfStore({ emptyAnswers, failures }: Findings, cursor: Cursor): ReviewsPage | null {
  const own = emptyAnswers[0]
  if (own === undefined || own.source !== cursor.source) return null
  if (own.source === 'rss' && emptyAnswers.length === 1) return null
  if (!emptyAnswers.every((one) => one.reason === 'end')) return null
  const { source } = own
  const failed = earlierFailures({ failures })
  if (isFeed(source)) return { kind: 'empty', source, ...failed }
  if (isAfterShortPage(cursor)) return { kind: 'empty', source, unconfirmed: true, ...failed }
  return { kind: 'ok', source, reviews: [], next: null, partial: true, ...failed }
}

function isAfterShortPage({ source, position }: Cursor): boolean {
  return isRow(source) && position % ROW_REVIEWS !== 0
}

/**
 * `gone` when lookup does not find the app; `empty` when two sources agree; otherwise the most important failure. A
 * source that blocks us or has a changed format takes precedence over lookup, since it may have reviews. Only `gone`
 * takes precedence over a changed answer, unless that contains reviews. Requests the lookup only if its answer can
 * matter.
 */
export async function firstPageResult(
  deps: RequestDeps,
  app: { readonly appId: string; readonly storefront: string },
  findings: Findings,
  blockedHosts: ReadonlySet<Host>,
  context: RequestContext,
): Promise<ReviewsPage> {
  const { emptyAnswers, failures } = findings
  const changed = failures.filter((one) => one.failure.kind === 'changed')
  const isDecided = failures.some((one) => one.failure.kind === 'blocked' || one.containsReviews)
  const isPageMissing = emptyAnswers.some((one) => one.reason === 'missing')
  if (isDecided || isPageMissing || emptyAnswers.length === 0) return mainFailureOf(findings)
  // A 404 of the web store may also mean that the app is gone. An empty list does not.
  if (
    confirmsNoReviews(findings) &&
    changed.length === 0 &&
    !emptyAnswers.some((one) => one.reason === 'unknown_app')
  )
    return { kind: 'empty', source: 'web', ...earlierFailures({ failures }) }
  if (blockedHosts.has('itunes')) return mainFailureOf(findings)

  const answer = await lookUp(deps, { appIds: [app.appId], storefront: app.storefront }, context)
  if (answer.kind === 'failed') {
    return answer.ends === 'poll'
      ? answer.failure
      : mainFailureOf({ emptyAnswers, failures: [...failures, answer] })
  }
  const found = answer.kind === 'apps' ? answer.apps.get(app.appId) : undefined
  if (found === undefined) {
    const detail = [
      `The App Store of ${app.storefront} has no app ${app.appId}.`,
      ...detailsOf({ failures: changed }),
    ]
    const raw = rawOf(changed)
    return { kind: 'gone', source: 'lookup', detail: detail.join(' '), ...(raw === undefined ? {} : { raw }) }
  }
  if (changed.length > 0) return mainFailureOf(findings)
  const { rating } = found
  if (confirmsNoReviews(findings)) {
    const all = rating.kind === 'failed' ? [...failures, rating] : failures
    return { kind: 'empty', source: 'web', ...earlierFailures({ failures: all }) }
  }
  if (rating.kind === 'failed') return mainFailureOf({ emptyAnswers, failures: [...failures, rating] })
  // No rating alone proves nothing (recorded 2020), but it confirms an empty list.
  const noneListed = emptyAnswers.some((one) => one.reason === 'no_reviews')
  if (rating.kind === 'none' && noneListed)
    return { kind: 'empty', source: 'lookup', ...earlierFailures({ failures }) }
  return mainFailureOf(findings)
}

/**
 * The store's end, or a missing page, which is skipped as an `ok` without reviews, so that the pages after it are read.
 * Fails at the maximum depth, after two skipped pages, or when the host blocks requests.
 */
export function laterPageResult(
  findings: Findings,
  cursor: Cursor,
  blockedHosts: ReadonlySet<Host>,
): ReviewsPage {
  const end = endOfStore(findings, cursor)
  if (end !== null) return end
  const own = findings.emptyAnswers.find((one) => one.source === cursor.source)
  const next = own === undefined || own.reason === 'end' ? null : withinDepth(own.next)
  if (next === null || cursor.skipped >= SKIPPED_PAGES_MAX || blockedHosts.has(hostOf(cursor.source)))
    return mainFailureOf(findings)
  const cursorAfter = writeCursor({ ...cursor, position: next, skipped: cursor.skipped + 1 })
  return {
    kind: 'ok',
    source: cursor.source,
    reviews: [],
    next: cursorAfter,
    partial: true,
    ...earlierFailures(findings),
  }
}

/**
 * The most important of several failures: `blocked` first, since the whole store must back off, then `changed`, since
 * an operator must act. Its detail lists all of them; its raw answer is that of a changed one.
 */
export function mainFailureOf(findings: Findings): StoreFailure {
  const { failures, emptyAnswers } = findings
  const storeFailures = failures.map((one) => one.failure)
  const worst =
    storeFailures.find((one) => one.kind === 'blocked') ?? storeFailures.find((one) => one.kind === 'changed')
  const waitsMs = storeFailures.flatMap((one) => one.retryAfterMs ?? [])
  const raw = rawOf(failures)
  return {
    kind: worst?.kind ?? 'unknown',
    source: worst?.source ?? emptyAnswers[0]?.source ?? storeFailures[0]?.source ?? 'rss',
    detail: detailsOf(findings).join(' '),
    ...(waitsMs.length === 0 ? {} : { retryAfterMs: Math.max(...waitsMs) }),
    ...(raw === undefined ? {} : { raw }),
  }
}

/** The answers of the sources requested before the one that served. */
export function earlierFailures({ failures, emptyAnswers = [] }: SomeFindings): {
  readonly earlierFailures?: readonly StoreFailure[]
} {
  const empties = emptyAnswers.map(
    ({ source, reason }): StoreFailure => ({
      kind: 'unknown',
      source,
      detail: EMPTY_REASON_TEXTS[reason],
      emptyPage: true,
    }),
  )
  const all = [...failures.map((one) => one.failure), ...empties]
  return all.length === 0 ? {} : { earlierFailures: all }
}

type SomeFindings = Partial<Findings> & Pick<Findings, 'failures'>

function detailsOf({ failures, emptyAnswers = [] }: SomeFindings): string[] {
  return [
    ...emptyAnswers.map((one) => `${one.source}: ${EMPTY_REASON_TEXTS[one.reason]}`),
    ...failures.map(({ failure }) => `${failure.source}: ${failure.detail}`),
  ]
}

function rawOf(failures: readonly Failed[]): string | undefined {
  return failures.find((one) => one.failure.raw !== undefined)?.failure.raw
}

const EMPTY_REASON_TEXTS: Record<EmptyReason, string> = {
  end: 'no reviews after its last page.',
  missing: 'a page is missing: it is empty, but the source lists reviews on it.',
  inconclusive: 'an empty page, which does not prove that there are no reviews.',
  no_reviews: 'no reviews.',
  unknown_app: 'no such app.',
}

function isFeed(source: SourceName): boolean {
  return source === 'rss' || source === 'rss_xml'
}

function hostOf(source: SourceName): Host {
  return source === 'web' || source === 'page' ? 'web' : 'itunes'
}
