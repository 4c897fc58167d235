import { hashOf } from './canonical.ts'
import type { Rating } from './rating.ts'
import type { RatingAt } from './rating-rule.ts'
import type { RatingHigh } from './rating-slide.ts'
import type { EnrichedReview } from './review.ts'
import type { NegativeReviews } from './review-spike.ts'
import type { Store } from './vocabulary.ts'

/** A new review, or a change that a watch may report, stored once for all hooks. */
export type Occurrence = {
  /** The order of detection; the key in storage. */
  readonly seq: number
  /** The fingerprint of the review, the transition id of the drop, or the id of a recovery or a spike. */
  readonly occurrenceId: string
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly occurredAt: Date
  readonly observedAt: Date
} & (
  | {
      readonly eventType: 'review.created'
      readonly review: EnrichedReview
      /** The last full poll of its feed before it, which did not show it. Null without one, and for official sources. */
      readonly unseenAt: Date | null
    }
  | {
      readonly eventType: 'rating.dropped'
      readonly previous: Rating
      readonly current: Rating
      /** The ratings that a window may compare with. */
      readonly highs: readonly RatingHigh[]
    }
  /** A poll that found negative reviews; each watch has its own limits. */
  | { readonly eventType: 'reviews.spiked'; readonly negatives: NegativeReviews }
  /** A rise of a rating. */
  | {
      readonly eventType: 'rating.recovered'
      readonly previous: Rating
      readonly current: Rating
      /** The observed ratings until this one, oldest first. */
      readonly history: readonly RatingAt[]
    }
)

/** The id of the event of an occurrence for a hook (docs/contract.md, Identity); deterministic. */
export function eventIdOf(hookId: string, occurrenceId: string): string {
  return hashOf(['event', hookId, occurrenceId])
}
