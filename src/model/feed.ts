import type { Rating } from './rating.ts'
import type { FeedKind, Store } from './vocabulary.ts'

/** What a store's answer meant (DESIGN 5.4). Only `ok` and `empty` move state. */
export const POLL_OUTCOMES = ['ok', 'empty', 'unknown', 'blocked', 'gone', 'changed'] as const
export type PollOutcome = (typeof POLL_OUTCOMES)[number]

/** One thing we poll: the reviews or the rating of an app in one market. */
export type Feed = {
  readonly id: number
  readonly store: Store
  readonly appId: string
  readonly kind: FeedKind
  /** A storefront, or a language for Google reviews. */
  readonly market: string
  readonly intervalMs: number
  /** Visits in a row that did not move state; 0 after an `ok` or `empty` one. */
  readonly failures: number
  /** Null until the first visit that moved state. */
  readonly lastOkAt: Date | null
  /** The last walk ended before the first known page: the next one goes to the store's end. */
  readonly walkIncomplete: boolean
}

/** A feed as its operator and its readers see it. */
export type FeedView = Feed & {
  readonly active: boolean
  readonly nextPollAt: Date | null
  readonly lastPolledAt: Date | null
  readonly lastOutcome: PollOutcome | null
  /** Which of the store's sources served last, e.g. `rss` or `web`. */
  readonly lastSource: string | null
  readonly lastDetail: string | null
  /** Since when the feed is stale; null while it is well. */
  readonly failingSince: Date | null
  readonly hasRawAnswer: boolean
  /** Last observed aggregate; null for review feeds and before the first observation. */
  readonly baseline: Rating | null
}
