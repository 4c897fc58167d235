import { ratingMicros } from '../../../model/decimal.ts'
import type { Rating } from '../../../model/rating.ts'
import type { StoreApp } from '../appstore.ts'
import { blocksOf, blocksOfRpc, linkedData } from './page-data.ts'
import { at, textAt } from './shape.ts'

/** Reads an app page twice, from the page's own data and from its linked data for search engines, and compares. */

export type DetailsRead =
  | { readonly kind: 'details'; readonly source: 'details' | 'ld+json'; readonly app: StoreApp }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** The rpc of the app's data. It occurs twice; the other block has the rating of one kind of device (seen 2026-07). */
const APP_RPC = 'Ws7gDc'

/**
 * Both readings come from one answer and agree to six digits in the pages of 2025 and 2026. A larger difference
 * means that one of them is another figure: the rating by kind of device was 0.04 stars and 21 % of the
 * ratings away (seen 2026-07).
 */
const MICROS_APART_MAX = 5_000
const COUNT_APART_MAX_SHARE = 0.01
const COUNT_APART_MAX_LEAST = 10

/** `null`: the page says that the app has no ratings. `undefined`: it has nothing readable. */
type RatingRead = Rating | null | undefined

export function readDetails(page: string, appId: string): DetailsRead {
  const node = appNode(page)
  const linked = linkedData(page).find((one) => textAt(one, '@type') === 'SoftwareApplication')
  if (node === undefined && linked === undefined) {
    return { kind: 'unreadable', reason: 'the page has neither the data of an app nor its linked data' }
  }
  const shownId = textAt(node, 77, 0) ?? linkedAppId(linked)
  if (shownId !== null && shownId !== appId) {
    return { kind: 'unreadable', reason: `the page is about ${shownId} instead of ${appId}` }
  }
  const name = textAt(node, 0, 0) ?? textAt(linked, 'name')
  if (name === null) return { kind: 'unreadable', reason: 'the app has no name' }

  const own = node === undefined ? undefined : ratingOfNode(node)
  const linkedRating = linked === undefined ? undefined : ratingOfLinked(linked)
  const rating = settle(own, linkedRating)
  if (rating === undefined) return { kind: 'unreadable', reason: disagreementOf(own, linkedRating) }
  const app: StoreApp = {
    store: 'google',
    appId,
    name,
    developer: textAt(node, 68, 0) ?? textAt(linked, 'author', 'name'),
    iconUrl: textAt(node, 95, 0, 3, 2) ?? textAt(linked, 'image'),
    rating,
  }
  return { kind: 'details', source: own === undefined ? 'ld+json' : 'details', app }
}

/**
 * The rating in an app's data: `[51]` is `[[text, score], histogram, [text, count], …]`, or null or zeros for an app
 * without ratings.
 */
export function ratingOfNode(node: unknown): RatingRead {
  const slot = at(node, 51)
  if (slot === null) return null
  const score = at(slot, 0, 1)
  const count = at(slot, 2, 1)
  if (typeof score !== 'number' || typeof count !== 'number') return undefined
  return ratingOf(score, count)
}

function appNode(page: string): unknown {
  const blocks = blocksOf(page)
  return blocksOfRpc(page, APP_RPC)
    .map((key) => at(blocks.get(key), 1, 2))
    .find((node) => textAt(node, 0, 0) !== null)
}

function ratingOfLinked(linked: unknown): RatingRead {
  const aggregate = at(linked, 'aggregateRating')
  if (aggregate === undefined || aggregate === null) return null
  const score = at(aggregate, 'ratingValue')
  const count = at(aggregate, 'ratingCount')
  if (!isPrinted(score) || !isPrinted(count)) return undefined
  return ratingOf(score, Number(count))
}

function isPrinted(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function ratingOf(score: number | string, count: number): RatingRead {
  const micros = ratingMicros(score)
  if (micros === null || !Number.isSafeInteger(count) || count < 0) return undefined
  if (count === 0 && micros === 0) return null
  // Stars start at 1: an average below that, or without ratings, is another figure.
  return count === 0 || micros < 1_000_000 ? undefined : { micros, count }
}

/** The rating on which both readings agree; undefined without one. */
function settle(own: RatingRead, linked: RatingRead): RatingRead {
  if (own === undefined) return linked === null ? undefined : linked
  if (own === null) return linked === null || linked === undefined ? null : undefined
  if (linked === null || linked === undefined) return own
  const countApartMax = Math.max(own.count * COUNT_APART_MAX_SHARE, COUNT_APART_MAX_LEAST)
  const agree =
    Math.abs(own.micros - linked.micros) <= MICROS_APART_MAX &&
    Math.abs(own.count - linked.count) <= countApartMax
  return agree ? own : undefined
}

function disagreementOf(own: RatingRead, linked: RatingRead): string {
  if (own === undefined && (linked === undefined || linked === null))
    return 'no rating can be read from the page'
  const ownText = own ? `${own.micros / 1e6} of ${own.count}` : 'none'
  const linkedText = linked ? `${linked.micros / 1e6} of ${linked.count}` : 'none'
  return `the page's data and its linked data disagree about the rating (${ownText}; ${linkedText})`
}

function linkedAppId(linked: unknown): string | null {
  const url = textAt(linked, 'url')
  if (url === null || !URL.canParse(url)) return null
  return new URL(url).searchParams.get('id')
}
