import { ratingMicros } from '../../../model/decimal.ts'
import type { Rating } from '../../../model/rating.ts'
import { releaseOf } from '../../../model/release.ts'
import type { StoreApp } from '../appstore.ts'
import { blocksOf, blocksOfRpc, linkedData } from './page-data.ts'
import { at, textAt } from './shape.ts'

/** Reads an app page from its own data and from its linked data for search engines, and compares the two. */

export type DetailsRead =
  | { readonly kind: 'details'; readonly source: 'details' | 'ld+json'; readonly app: StoreApp }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** The rpc of the app's data. It occurs twice; the other block has the rating of one device type (seen 2026-07). */
const APP_RPC = 'Ws7gDc'

/**
 * Both values come from one answer and agree to six digits in the pages of 2025 and 2026. A larger difference means
 * that one of them is another figure: the rating by device type differed by 0.04 stars and 21 % of the ratings (seen
 * 2026-07).
 */
const MICROS_DIFFERENCE_MAX = 5_000
const COUNT_DIFFERENCE_SHARE_MAX = 0.01
const COUNT_DIFFERENCE_MIN = 10

/** `null`: the page says that the app has no ratings. `undefined`: no rating is readable. */
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
  const rating = agreedRating(own, linkedRating)
  if (rating === undefined) return { kind: 'unreadable', reason: disagreementOf(own, linkedRating) }
  const app: StoreApp = {
    store: 'google',
    appId,
    name,
    developer: textAt(node, 68, 0) ?? textAt(linked, 'author', 'name'),
    iconUrl: textAt(node, 95, 0, 3, 2) ?? textAt(linked, 'image'),
    rating,
    release: releaseOf(textAt(node, 140, 0, 0, 0), updatedAt(node)),
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

/** "Updated on": `[145]` is `[[text, [seconds, nanoseconds]]]` (recorded 2026-06). */
function updatedAt(node: unknown): Date | null {
  const seconds = at(node, 145, 0, 1, 0)
  return typeof seconds === 'number' ? new Date(seconds * 1_000) : null
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
  if (!isTextOrNumber(score) || !isTextOrNumber(count)) return undefined
  return ratingOf(score, Number(count))
}

function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function ratingOf(score: number | string, count: number): RatingRead {
  const micros = ratingMicros(score)
  if (micros === null || !Number.isSafeInteger(count) || count < 0) return undefined
  if (count === 0 && micros === 0) return null
  // Stars start at 1: a lower average, or one without ratings, is another figure.
  return count === 0 || micros < 1_000_000 ? undefined : { micros, count }
}

/** The rating if both values agree; otherwise undefined. */
function agreedRating(own: RatingRead, linked: RatingRead): RatingRead {
  if (own === undefined) return linked === null ? undefined : linked
  if (own === null) return linked === null || linked === undefined ? null : undefined
  if (linked === null || linked === undefined) return own
  const countDifferenceMax = Math.max(own.count * COUNT_DIFFERENCE_SHARE_MAX, COUNT_DIFFERENCE_MIN)
  const agree =
    Math.abs(own.micros - linked.micros) <= MICROS_DIFFERENCE_MAX &&
    Math.abs(own.count - linked.count) <= countDifferenceMax
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
