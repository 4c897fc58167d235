import type { MalformedRow } from '../../../model/malformed-row.ts'
import type { StoreReview } from '../../../model/review.ts'
import type { Failed, Host, RequestContext, RequestDeps } from './request.ts'

/** An app in a storefront, and the position of the next review: from 0, newest first. */
export type AppleListing = { readonly appId: string; readonly storefront: string; readonly position: number }

/** The answer of one of Apple's sources. */
export type SourceAnswer =
  /** `next` is the position after these reviews; null at the source's end. */
  | {
      readonly kind: 'reviews'
      readonly reviews: readonly StoreReview[]
      readonly malformed: readonly MalformedRow[]
      readonly next: number | null
    }
  | {
      readonly kind: 'empty'
      readonly reason: EmptyReason
      /** The position of the next page. */
      readonly next: number
    }
  | Failed

/**
 * Why a page is empty. `end`: the position is after the last review. `missing`: the source lists reviews on this page.
 * `inconclusive`: the source does not say whether there are reviews. `no_reviews`: the source lists none.
 * `unknown_app`: the source does not know the id.
 */
export type EmptyReason = 'end' | 'missing' | 'inconclusive' | 'no_reviews' | 'unknown_app'

export type ReviewSource = {
  /** The `source` of answers and cursors. */
  readonly name: SourceName
  readonly host: Host
  /** Asked for newest first, so its order is checked. */
  readonly newestFirst: boolean
  /** The same request with another order: only made when the answer of that source is not newest first. */
  readonly insteadOf?: SourceName
  readonly reviews: (
    deps: RequestDeps,
    listing: AppleListing,
    context: RequestContext,
  ) => Promise<SourceAnswer>
}
const SOURCE_NAMES = ['rss', 'rss_xml', 'web', 'row', 'page'] as const
/** `row_2`: a further kind of the source `row`. */
export type SourceName = (typeof SOURCE_NAMES)[number] | `row_${number}`

export function isSourceName(text: string): text is SourceName {
  return SOURCE_NAMES.some((name) => name === text) || /^row_\d{1,3}$/.test(text)
}

/**
 * The depth at which paging ends for every source: that of the feed. The web sources go deeper, with 20 reviews per
 * request: the end of a popular app would take thousands of requests.
 */
export const POSITION_MAX = 500

/** `next` within the maximum depth, otherwise null. */
export function withinDepth(next: number): number | null {
  return next < POSITION_MAX ? next : null
}
