import type { OddRow } from '../../../model/odd-row.ts'
import type { StoreReview } from '../../../model/review.ts'
import type { AskDeps, Failed, Host, Turn } from './ask.ts'

/** Which stretch of which app's reviews: `position` counts from 0, newest first. */
export type Stretch = { readonly appId: string; readonly storefront: string; readonly position: number }

/** What one of Apple's sources said of a stretch. */
export type SourceAnswer =
  /** `next` is the position after it; null at this source's end. */
  | {
      readonly kind: 'reviews'
      readonly reviews: readonly StoreReview[]
      readonly odd: readonly OddRow[]
      readonly next: number | null
    }
  | {
      readonly kind: 'nothing'
      readonly means: Meaning
      /** Where the stretch after this one starts. */
      readonly next: number
    }
  | Failed

/**
 * `end`: the position is behind the last review. `hole`: no reviews where this source itself says there are some.
 * `blank`: no reviews and no word on whether there are any. `none`: it says there are none. `absent`: it knows
 * nothing under that id.
 */
export type Meaning = 'end' | 'hole' | 'blank' | 'none' | 'absent'

export type ReviewSource = {
  /** As told in `source` of an answer, and in cursors. */
  readonly name: SourceName
  readonly host: Host
  readonly reviews: (deps: AskDeps, stretch: Stretch, turn: Turn) => Promise<SourceAnswer>
}
export type SourceName = 'rss' | 'rss_xml' | 'web' | 'row' | 'page'

/**
 * Where every source's walk ends: the feed's own depth. The web sources go deeper, 20 reviews a request, and a walk
 * to the end of a big app would take thousands of requests.
 */
export const POSITION_MAX = 500

/** `next` when a walk may go on there, else null. */
export function withinDepth(next: number): number | null {
  return next < POSITION_MAX ? next : null
}
