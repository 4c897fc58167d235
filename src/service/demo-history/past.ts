import type { Feed } from '../../model/feed.ts'
import type { Rating } from '../../model/rating.ts'
import type { Release } from '../../model/release.ts'
import type { StoreReview } from '../../model/review.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { EgressAnswer } from '../../runtime/egress/egress.ts'
import type { Instant } from '../../runtime/instant.ts'
import type { Storage } from '../../storage/port/storage.ts'

/** Where the past of the demo comes from: the stores and the destinations are functions. */
export type Past = {
  readonly storage: Storage
  /** The creation of the subscriptions and the first poll. */
  readonly from: Instant
  readonly until: Instant
  readonly stores: PastStores
  /** The answer that a destination would have given. */
  readonly answer: (url: string, at: Date) => EgressAnswer
  /** The waits between the attempts of a delivery. */
  readonly waitsMs: readonly number[]
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number
}

type PastStores = {
  readonly releases: readonly (Release & {
    readonly store: Store
    readonly appId: string
    readonly name: string
    readonly developer: string
  })[]
  /** All reviews of a feed, in any order. */
  readonly reviews: (feed: Feed) => readonly StoreReview[]
  /** The rating of a feed at a past time; null without one. */
  readonly rating: (feed: Feed, at: Date) => Rating | null
  /** Why the store could not be read at that time; null when it could. */
  readonly problem: (feed: Feed, at: Date) => string | null
}
