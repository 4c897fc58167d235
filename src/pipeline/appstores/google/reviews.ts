import { storefrontsOf } from '../../../model/market.ts'
import type { StoreReview } from '../../../model/review.ts'
import type { Pace, ReviewsPage, StoreFailure } from '../appstore.ts'
import { openDetails } from './details.ts'
import { type RequestDeps, unreadable } from './request.ts'
import { readRows } from './review-rows.ts'
import { callRpc } from './rpc.ts'

/**
 * Newest reviews of one language. Two rpcs serve the same rows: one that scrapers have used since 2019, and one that
 * Play's own page declares (2026-07). The second is the fallback when the first returns no data or an unknown format.
 * Paging stays with its first rpc, because tokens may not be shared.
 */
const NEWEST = 2
/** Device type of the second rpc. Without it, the order is by relevance instead of date (reported 2023-07). */
const PHONE = 2
/** The page size of Play's own clients; 150 rows have 0.13 MB. */
const REVIEWS_PER_PAGE = 150
/** Empty pages with a token that one call skips. */
const EMPTY_PAGES_MAX = 3
/** With fewer rows the order proves nothing. */
const ORDER_CHECKED_ROWS_MIN = 20

const REQUESTS: Readonly<Record<string, (appId: string, token: string | null) => unknown>> = {
  UsvDTd: (appId, token) => [null, null, [2, NEWEST, [REVIEWS_PER_PAGE, null, token], null, []], [appId, 7]],
  oCPfdb: (appId, token) => [
    null,
    [
      2,
      NEWEST,
      [REVIEWS_PER_PAGE, null, token],
      null,
      [null, null, null, null, null, null, null, null, PHONE],
    ],
    [appId, 7],
  ],
}

/** In the order of requests. */
export const REVIEW_RPCS: readonly string[] = Object.keys(REQUESTS)

type Query = {
  readonly appId: string
  readonly market: string
  readonly cursor: string | null
  readonly startWith?: string | null
}

/** The page after `cursor`, or the first one; `empty` on a first page only when the app's page exists. */
export async function reviewsPage(
  deps: RequestDeps,
  query: Query,
  pace: Pace,
  signal: AbortSignal,
): Promise<ReviewsPage> {
  if (query.cursor !== null) {
    const [rpcId, token] = parseCursor(query.cursor)
    const page = await pageOf(deps, rpcId, query, token, pace, signal)
    return page.kind === 'end' ? { kind: 'empty', source: rpcId } : page
  }
  let first: StoreFailure | null = null
  const startWith = REVIEW_RPCS.filter((rpcId) => rpcId === query.startWith)
  for (const rpcId of new Set([...startWith, ...REVIEW_RPCS])) {
    const page = await pageOf(deps, rpcId, query, null, pace, signal)
    const earlierFailures = first === null ? {} : { earlierFailures: [first] }
    if (page.kind === 'ok') return { ...page, ...earlierFailures }
    if (page.kind === 'end') {
      const none = await emptyOrGone(deps, rpcId, query, pace, signal)
      // The rpc with the changed format may have reviews that the other one does not show.
      return first?.kind === 'changed' && none.kind === 'empty' ? first : none
    }
    const { tryOtherRpc, ...failure } = page
    first ??= failure
    if (!tryOtherRpc) return first
  }
  return first ?? { kind: 'unknown', source: 'none', detail: 'No source was requested.' }
}

/** See `AppStore`. Both rpcs seem to use one index, but a client may get a stale copy from one of them. */
export async function otherReviewsPage(
  deps: RequestDeps,
  query: { readonly appId: string; readonly market: string; readonly than: string },
  pace: Pace,
  signal: AbortSignal,
): Promise<ReviewsPage> {
  const rpcId = REVIEW_RPCS.find((one) => one !== query.than) ?? query.than
  const page = await firstPageOf(deps, rpcId, query, pace, signal)
  return page.kind === 'empty'
    ? { kind: 'unknown', source: rpcId, detail: 'The source shows no reviews.' }
    : page
}

/** The first page of one rpc; `empty` says nothing about whether the app exists. */
export async function firstPageOf(
  deps: RequestDeps,
  rpcId: string,
  { appId, market }: { readonly appId: string; readonly market: string },
  pace: Pace,
  signal: AbortSignal,
): Promise<Extract<ReviewsPage, { kind: 'ok' }> | { readonly kind: 'empty' } | StoreFailure> {
  const page = await pageOf(deps, rpcId, { appId, market, cursor: null }, null, pace, signal)
  if (page.kind === 'ok') return page
  if (page.kind === 'end') return { kind: 'empty' }
  const { tryOtherRpc: _, ...failure } = page
  return failure
}

type Page =
  | Extract<ReviewsPage, { kind: 'ok' }>
  | { readonly kind: 'end' }
  | (StoreFailure & { readonly tryOtherRpc: boolean })

async function pageOf(
  deps: RequestDeps,
  rpcId: string,
  query: Query,
  startToken: string | null,
  pace: Pace,
  signal: AbortSignal,
): Promise<Page> {
  const request = REQUESTS[rpcId]
  if (request === undefined) throw new TypeError(`There is no reviews rpc ${rpcId}.`)
  let token = startToken
  for (let page = 0; page <= EMPTY_PAGES_MAX; page += 1) {
    const call = {
      rpcId,
      request: request(query.appId, token),
      market: query.market,
      country: countryOf(query.market),
    }
    const answer = await callRpc(deps, call, pace, signal)
    if (answer.kind === 'failed') {
      const { failure } = answer
      return { ...failure, tryOtherRpc: answer.nullPayload || failure.kind === 'changed' }
    }
    const rows = readRows(answer.payload)
    const reason = rows.kind === 'unreadable' ? rows.reason : orderProblem(rows.reviews)
    if (rows.kind === 'unreadable' || reason !== null) {
      return { ...unreadable(rpcId, reason ?? 'unreadable rows', answer.text), tryOtherRpc: true }
    }
    const next = rows.token === null ? null : `${rpcId}:${rows.token}`
    if (rows.rows > 0) {
      const { reviews, malformed } = rows
      return { kind: 'ok', source: rpcId, reviews, next, ...(malformed.length === 0 ? {} : { malformed }) }
    }
    if (rows.token === null) return { kind: 'end' }
    token = rows.token
  }
  const detail = `Google Play sent ${EMPTY_PAGES_MAX + 1} empty pages in a row, each with a token for the next page.`
  return { kind: 'unknown', source: rpcId, detail, tryOtherRpc: false }
}

/**
 * Play returns `[]` both for an unknown app and for an app without reviews in this language (seen 2026-09): the app
 * page decides.
 */
async function emptyOrGone(
  deps: RequestDeps,
  source: string,
  query: Query,
  pace: Pace,
  signal: AbortSignal,
): Promise<ReviewsPage> {
  const place = { language: query.market, country: countryOf(query.market) }
  const page = await openDetails(deps, query.appId, place, pace, signal)
  return page.kind === 'details' ? { kind: 'empty', source } : page
}

/** The country to send with a language: its first storefront. Play ignores it. */
export function countryOf(market: string): string {
  return storefrontsOf('google', 'reviews', market)[0] ?? 'us'
}

function parseCursor(cursor: string): [rpcId: string, token: string] {
  const colon = cursor.indexOf(':')
  return [cursor.slice(0, colon), cursor.slice(colon + 1)]
}

/**
 * Null when the page is newest first, as all 300 rows of 2026-07 are. Stopping at a page of known reviews requires that
 * order. A tenth may be out of order, because reviews can move while Play builds the page.
 */
function orderProblem(reviews: readonly StoreReview[]): string | null {
  if (reviews.length < ORDER_CHECKED_ROWS_MIN) return null
  const rising = reviews.filter((review, index) => {
    const before = reviews[index - 1]
    return before !== undefined && review.shownAt.getTime() > before.shownAt.getTime()
  })
  return rising.length * 10 > reviews.length ? 'the reviews are not newest first' : null
}
