import { storefrontsOf } from '../../../model/market.ts'
import { orderProblem } from '../../../model/newest-first.ts'
import type { Storefront } from '../../../model/vocabulary.ts'
import type { Pace, ReviewsPage, SourcePage, SourcePageAnswer, StoreFailure } from '../appstore.ts'
import { openDetails } from './details.ts'
import { REVIEWS_PER_LARGE_PAGE, REVIEWS_PER_PAGE, type ReviewRequest } from './known-formats.ts'
import { type RequestDeps, unreadable } from './request.ts'
import { readRows } from './review-rows.ts'
import { callRpc } from './rpc.ts'

/**
 * Newest reviews of one language, from the first of the requests in known-formats.ts with readable rows in order. Paging stays
 * with its first request, because tokens may not be shared.
 */

/** Empty pages with a token that one call skips. */
const EMPTY_PAGES_MAX = 3

export type ReviewsDeps = RequestDeps & { readonly requests: readonly ReviewRequest[] }

type Query = {
  readonly appId: string
  readonly market: string
  readonly cursor: string | null
  readonly toTheEnd?: boolean
  readonly startWith?: string | null
  readonly storefronts?: () => Promise<readonly Storefront[]>
}

/** The page after `cursor`, or the first one; `empty` on a first page only when the app's page exists. */
export async function reviewsPage(
  deps: ReviewsDeps,
  query: Query,
  pace: Pace,
  signal: AbortSignal,
): Promise<ReviewsPage> {
  if (query.cursor !== null) {
    const { source, ...start } = readCursor(query.cursor)
    const page = await pageOf(deps, requestOf(deps, source), query, start, pace, signal)
    if (page.kind !== 'end') return page
    return { kind: 'empty', source, ...(page.unconfirmed ? { unconfirmed: true } : {}) }
  }
  const failures: StoreFailure[] = []
  const startWith = deps.requests.filter(({ source }) => source === query.startWith)
  let without: string | null = null
  for (const request of new Set([...startWith, ...deps.requests])) {
    if (request.rpcId === without) continue
    const page = await pageOf(deps, request, query, FIRST, pace, signal)
    if (page.kind === 'ok') return failures.length === 0 ? page : { ...page, earlierFailures: failures }
    if (page.kind === 'end') {
      const none = await emptyOrGone(deps, request.source, query, pace, signal)
      // A request with a changed format may have reviews that this one does not show.
      return failures.find(({ kind }) => none.kind === 'empty' && kind === 'changed') ?? none
    }
    const { tryNext, ...failure } = page
    failures.push(failure)
    if (tryNext === 'none') break
    if (tryNext === 'other_rpc') without = request.rpcId
  }
  return failures[0] ?? { kind: 'unknown', source: 'none', detail: 'No source was requested.' }
}

/** See `AppStore`. All requests seem to use one index, but a client may get a stale copy from one of them. */
export async function otherReviewsPage(
  deps: ReviewsDeps,
  query: { readonly appId: string; readonly market: string; readonly than: string },
  pace: Pace,
  signal: AbortSignal,
): Promise<ReviewsPage> {
  const same = requestOf(deps, query.than)
  const other = deps.requests.find(({ rpcId }) => rpcId !== same.rpcId) ?? same
  const page = await firstPageOf(deps, other, query, pace, signal)
  return page.kind === 'empty'
    ? { kind: 'unknown', source: other.source, detail: 'The source shows no reviews.' }
    : page
}

/** See `AppStore`. */
export function sourcePages(
  deps: ReviewsDeps,
  query: { readonly appId: string; readonly market: string },
): SourcePage[] {
  return deps.requests.map((request) => ({
    source: request.source,
    newestFirst: true,
    ask: (pace, signal) => firstPageOf(deps, request, query, pace, signal),
  }))
}

/** The first page of one request. An unknown app is `empty` too. */
async function firstPageOf(
  deps: RequestDeps,
  request: ReviewRequest,
  { appId, market }: { readonly appId: string; readonly market: string },
  pace: Pace,
  signal: AbortSignal,
): Promise<SourcePageAnswer> {
  const page = await pageOf(deps, request, { appId, market, cursor: null }, FIRST, pace, signal)
  if (page.kind === 'ok') return page
  if (page.kind === 'end') return { kind: 'empty', detail: 'The source lists no reviews.' }
  const { tryNext: _, ...failure } = page
  return failure
}

type Page =
  | Extract<ReviewsPage, { kind: 'ok' }>
  /** `unconfirmed`: no data after a full page, which is the end or throttling. */
  | { readonly kind: 'end'; readonly unconfirmed: boolean }
  /** What may serve instead: the next request, one of another rpc (this one is throttled), or none. */
  | (StoreFailure & { readonly tryNext: 'any' | 'other_rpc' | 'none' })

async function pageOf(
  deps: RequestDeps,
  { source, rpcId, request }: ReviewRequest,
  query: Query,
  start: Start,
  pace: Pace,
  signal: AbortSignal,
): Promise<Page> {
  let { token } = start
  let rowsMax = query.toTheEnd === true ? REVIEWS_PER_LARGE_PAGE : REVIEWS_PER_PAGE
  for (let emptyPages = 0; emptyPages <= EMPTY_PAGES_MAX; ) {
    const call = {
      source,
      rpcId,
      request: request(query.appId, token, rowsMax),
      market: query.market,
      country: countryOf(query.market),
    }
    const answer = await callRpc(deps, call, pace, signal)
    if (answer.kind === 'null') {
      // Play may refuse the size alone.
      if (rowsMax > REVIEWS_PER_PAGE) {
        rowsMax = REVIEWS_PER_PAGE
        continue
      }
      const isEnd = emptyPages === 0 && start.afterFullPage && !answer.gatewayError
      return isEnd ? { kind: 'end', unconfirmed: true } : { ...answer.failure, tryNext: 'other_rpc' }
    }
    if (answer.kind === 'failed') {
      return { ...answer.failure, tryNext: answer.failure.kind === 'changed' ? 'any' : 'none' }
    }
    const rows = readRows(answer.payload, deps.added?.review_rows)
    if (rows.kind === 'unreadable') {
      return { ...unreadable(source, rows.reason, answer.text), tryNext: 'any' }
    }
    const problem = orderProblem(rows.reviews)
    if (problem !== null) {
      return { ...unreadable(source, problem, answer.text), unordered: true, tryNext: 'any' }
    }
    if (rows.rows > 0) {
      const { reviews, malformed } = rows
      const afterFullPage = rows.rows >= rowsMax && malformed.length === 0
      const next = rows.token === null ? null : writeCursor({ source, token: rows.token, afterFullPage })
      return { kind: 'ok', source, reviews, next, ...(malformed.length === 0 ? {} : { malformed }) }
    }
    if (rows.token === null) return { kind: 'end', unconfirmed: false }
    token = rows.token
    emptyPages += 1
  }
  const detail = `Google Play sent ${EMPTY_PAGES_MAX + 1} empty pages in a row, each with a token for the next page.`
  return { kind: 'unknown', source, detail, tryNext: 'none' }
}

/**
 * Play returns `[]` both for an unknown app and for an app without reviews in this language (seen 2026-09): the app's page decides. It
 * exists only where the app is sold, so the app is gone only when no storefront has it: one request each, six at most (English).
 */
async function emptyOrGone(
  deps: RequestDeps,
  source: string,
  query: Query,
  pace: Pace,
  signal: AbortSignal,
): Promise<ReviewsPage> {
  const failures: StoreFailure[] = []
  const storefronts = (await query.storefronts?.()) ?? [countryOf(query.market)]
  for (const country of storefronts) {
    const page = await openDetails(deps, query.appId, { language: query.market, country }, pace, signal)
    if (page.kind === 'details') return { kind: 'empty', source }
    if (page.kind === 'blocked') return page
    failures.push(page)
  }
  const undecided = failures.find(({ kind }) => kind !== 'gone')
  if (undecided !== undefined || failures[0] === undefined) return undecided ?? { kind: 'empty', source }
  return { ...failures[0], detail: failures.map(({ detail }) => detail).join(' ') }
}

/** The country to send with a language: its first storefront. Play ignores it. */
export function countryOf(market: string): Storefront {
  return storefrontsOf('google', 'reviews', market)[0] ?? 'us'
}

function requestOf({ requests }: ReviewsDeps, source: string): ReviewRequest {
  const request = requests.find((one) => one.source === source)
  if (request === undefined) throw new TypeError(`There is no reviews request ${source}.`)
  return request
}

/** Where a page starts. `afterFullPage`: the page before it was full, and all of its rows were valid. */
type Start = { readonly token: string | null; readonly afterFullPage: boolean }
const FIRST: Start = { token: null, afterFullPage: false }

function writeCursor({ source, token, afterFullPage }: Start & { readonly source: string }): string {
  return `${source}:${afterFullPage ? 'full' : 'short'}:${token}`
}

/** Throws for a text that `writeCursor` did not write: cursors never leave the service. */
function readCursor(text: string): Start & { readonly source: string } {
  const [, source, size, token] = /^(\w+):(full|short):(.+)$/s.exec(text) ?? []
  if (source === undefined || token === undefined)
    throw new Error(`Invalid cursor for Google reviews: ${JSON.stringify(text)}`)
  return { source, token, afterFullPage: size === 'full' }
}
