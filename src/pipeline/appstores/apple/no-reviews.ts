import type { ReviewsPage, StoreFailure } from '../appstore.ts'
import { type Cursor, writeCursor } from './cursor.ts'
import { lookUp } from './lookup.ts'
import type { Failed, Host, RequestContext, RequestDeps } from './request.ts'
import { type Meaning, type SourceName, withinDepth } from './source.ts'

/**
 * The meaning of a page without reviews from any source. An empty feed alone proves nothing: whole networks get one for
 * every app (since 2026-06), and pages disappear for minutes (measured 2026-09). A second source must confirm it: the
 * web store shows none either, or another list is empty and the app has no rating.
 */

type Nothing = { readonly source: SourceName; readonly means: Meaning; readonly next: number }

/** The answers of the sources so far, in their order. */
export type Findings = { readonly failures: Failed[]; readonly emptyAnswers: Nothing[] }

/** Holes in a row that a walk skips. Chosen: measured holes had one page. */
const HOLES_MAX = 2

/** First page: the feed is empty and does not link to reviews, and the web store has none. */
export function isNone({ emptyAnswers }: Findings): boolean {
  const feeds = emptyAnswers.filter((one) => isFeed(one.source))
  const webHasNone = emptyAnswers.some(
    (one) => one.source === 'web' && (one.means === 'none' || one.means === 'absent'),
  )
  return webHasNone && feeds.length > 0 && feeds.every((one) => one.means !== 'hole')
}

/**
 * Later page: the end of the store, when the source of the walk is past its end and no other contradicts; else null. The
 * JSON feed alone is not enough, since its links are only hints. An empty page of the other sources names no last page,
 * so reviews may be missing: it ends the walk as partial.
 */
export function storesEnd({ emptyAnswers, failures }: Findings, cursor: Cursor): ReviewsPage | null {
  const own = emptyAnswers[0]
  if (own === undefined || own.source !== cursor.source) return null
  if (own.source === 'rss' && emptyAnswers.length === 1) return null
  if (!emptyAnswers.every((one) => one.means === 'end')) return null
  if (isFeed(own.source)) return { kind: 'empty', source: own.source, ...earlierFailures({ failures }) }
  return {
    kind: 'ok',
    source: own.source,
    reviews: [],
    next: null,
    partial: true,
    ...earlierFailures({ failures }),
  }
}

/**
 * `gone` when lookup does not know the app; `empty` when two sources agree; else the most important failure. A source
 * that blocks us or has a changed format outranks lookup, since it may have reviews. Only `gone` outranks a changed
 * answer, unless that contains reviews. Requests the lookup only where it could decide.
 */
export async function firstPageVerdict(
  deps: RequestDeps,
  app: { readonly appId: string; readonly storefront: string },
  findings: Findings,
  closed: ReadonlySet<Host>,
  context: RequestContext,
): Promise<ReviewsPage> {
  const { emptyAnswers, failures } = findings
  const changed = failures.filter((one) => one.failure.kind === 'changed')
  const outranked = failures.some((one) => one.failure.kind === 'blocked' || one.holdsReviews)
  const contradicted = emptyAnswers.some((one) => one.means === 'hole')
  if (outranked || contradicted || emptyAnswers.length === 0) return mainFailureOf(findings)
  // A 404 of the web store may also mean an app that is gone; an empty list may not.
  if (isNone(findings) && changed.length === 0 && !emptyAnswers.some((one) => one.means === 'absent'))
    return { kind: 'empty', source: 'web', ...earlierFailures({ failures }) }
  if (closed.has('itunes')) return mainFailureOf(findings)

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
  if (isNone(findings)) {
    const all = rating.kind === 'failed' ? [...failures, rating] : failures
    return { kind: 'empty', source: 'web', ...earlierFailures({ failures: all }) }
  }
  if (rating.kind === 'failed') return mainFailureOf({ emptyAnswers, failures: [...failures, rating] })
  // 0 of 0 alone proves nothing (recorded 2020), but it confirms a list without reviews.
  const noneListed = emptyAnswers.some((one) => one.means === 'none')
  if (rating.kind === 'not_known' && noneListed)
    return { kind: 'empty', source: 'lookup', ...earlierFailures({ failures }) }
  return mainFailureOf(findings)
}

/**
 * The store's end, or a missing page, which is skipped as an `ok` without reviews, so that the pages after it are not
 * lost. At the depth of the walk, after two holes, or with its host closed, the walk fails instead.
 */
export function laterPageVerdict(findings: Findings, cursor: Cursor, closed: ReadonlySet<Host>): ReviewsPage {
  const end = storesEnd(findings, cursor)
  if (end !== null) return end
  const own = findings.emptyAnswers.find((one) => one.source === cursor.source)
  const next = own === undefined || own.means === 'end' ? null : withinDepth(own.next)
  if (next === null || cursor.holes >= HOLES_MAX || closed.has(hostOf(cursor.source)))
    return mainFailureOf(findings)
  const cursorAfter = writeCursor({ source: cursor.source, position: next, holes: cursor.holes + 1 })
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
 * One failure out of several: `blocked` first, since the whole store has to back off, then `changed`, since an operator
 * has to act. Its detail names all of them, with the raw answer of a changed one.
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

/** The answers of the sources before the one that served. */
export function earlierFailures({ failures, emptyAnswers = [] }: SomeFindings): {
  readonly earlierFailures?: readonly StoreFailure[]
} {
  const empties = emptyAnswers.map(
    ({ source, means }): StoreFailure => ({ kind: 'unknown', source, detail: MEANING[means] }),
  )
  const all = [...failures.map((one) => one.failure), ...empties]
  return all.length === 0 ? {} : { earlierFailures: all }
}

type SomeFindings = Partial<Findings> & Pick<Findings, 'failures'>

function detailsOf({ failures, emptyAnswers = [] }: SomeFindings): string[] {
  return [
    ...emptyAnswers.map((one) => `${one.source}: ${MEANING[one.means]}`),
    ...failures.map(({ failure }) => `${failure.source}: ${failure.detail}`),
  ]
}

function rawOf(failures: readonly Failed[]): string | undefined {
  return failures.find((one) => one.failure.raw !== undefined)?.failure.raw
}

const MEANING: Record<Meaning, string> = {
  end: 'no reviews after its last page.',
  hole: 'an empty page where it says that there are reviews.',
  blank: 'an empty page, which proves nothing.',
  none: 'no reviews.',
  absent: 'no such app.',
}

function isFeed(source: SourceName): boolean {
  return source === 'rss' || source === 'rss_xml'
}

function hostOf(source: SourceName): Host {
  return source === 'web' || source === 'page' ? 'web' : 'itunes'
}
