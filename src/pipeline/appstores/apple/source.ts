import type { MalformedRow } from '../../../model/malformed-row.ts'
import type { StoreReview } from '../../../model/review.ts'
import type { Failed, Host, RequestContext, RequestDeps } from './request.ts'

/** A range of an app's reviews: `position` counts from 0, newest first. */
export type AppleListing = { readonly appId: string; readonly storefront: string; readonly position: number }

/** The answer of one of Apple's sources for a range. */
export type SourceAnswer =
  /** `next` is the position after it; null at this source's end. */
  | {
      readonly kind: 'reviews'
      readonly reviews: readonly StoreReview[]
      readonly malformed: readonly MalformedRow[]
      readonly next: number | null
    }
  | {
      readonly kind: 'nothing'
      readonly means: Meaning
      /** Where the next range starts. */
      readonly next: number
    }
  | Failed

/**
 * `end`: the position is after the last review. `hole`: no reviews, although this source says that there are some.
 * `blank`: no reviews, and nothing on whether there are any. `none`: the source reports no reviews. `absent`: the id is
 * unknown to the source.
 */
export type Meaning = 'end' | 'hole' | 'blank' | 'none' | 'absent'

export type ReviewSource = {
  /** As in `source` of an answer, and in cursors. */
  readonly name: SourceName
  readonly host: Host
  readonly reviews: (
    deps: RequestDeps,
    stretch: AppleListing,
    context: RequestContext,
  ) => Promise<SourceAnswer>
}
export type SourceName = 'rss' | 'rss_xml' | 'web' | 'row' | 'page'

/**
 * Where every source's walk ends: the feed's own depth. The web sources go deeper, 20 reviews a request, and a walk
 * to the end of a big app would take thousands of requests.
 */
export const POSITION_MAX = 500

/** `next` when a walk may continue there, else null. */
export function withinDepth(next: number): number | null {
  return next < POSITION_MAX ? next : null
}
