import { hashOf } from './canonical.ts'
import type { Rating } from './rating.ts'
import type { EnrichedReview } from './review.ts'
import type { Store } from './vocabulary.ts'

/** Something that happened at a store, once for all hooks: a review created, or a rating that fell. */
export type Occurrence = {
  /** Order of detection; the key inside storage. */
  readonly seq: number
  /** Fingerprint of the review or transition id of the fall. */
  readonly occurrenceId: string
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly occurredAt: Date
  readonly observedAt: Date
} & (
  | { readonly eventType: 'review.created'; readonly review: EnrichedReview }
  | { readonly eventType: 'rating.dropped'; readonly previous: Rating; readonly current: Rating }
)

/** Identity of an occurrence as one hook gets it (docs/contract.md, Identity): the same two always give the same value. */
export function eventIdOf(hookId: string, occurrenceId: string): string {
  return hashOf(['event', hookId, occurrenceId])
}
