import type { Rating } from './rating.ts'
import type { FeedKind, Store } from './vocabulary.ts'

/** The meaning of a store's answer (docs/stores.md, Outcomes). Only `ok` and `empty` move state. */
export const POLL_OUTCOMES = ['ok', 'empty', 'unknown', 'blocked', 'gone', 'changed'] as const
export type PollOutcome = (typeof POLL_OUTCOMES)[number]

/**
 * Why a source may be frozen: its newest review is older than before; ratings increase while no review has arrived for
 * much longer than usual; another source of the store shows newer reviews.
 */
export const FROZEN_REASONS = ['older_than_known', 'ratings_move', 'other_source_newer'] as const
export type FrozenReason = (typeof FROZEN_REASONS)[number]

/** The state of the store's sources that a feed stores between polls. */
export type FeedSources = {
  /** The date of the newest review that any source has shown here. */
  readonly newestShownAt: Date | null
  /** The source used while the primary one fails; it is requested first. */
  readonly fallback: {
    readonly source: string
    readonly since: Date
    /** The failures of the sources before it. */
    readonly reason: string
    /** When they were last requested. */
    readonly probedAt: Date
  } | null
  /** A suspicion, not an error: polling continues. */
  readonly frozen: { readonly source: string; readonly since: Date; readonly reason: FrozenReason } | null
  /** When the last comparison with another source was made. */
  readonly otherAskedAt: Date | null
}

/** One thing we poll: the reviews or the rating of an app in one market. */
export type Feed = {
  readonly id: number
  readonly store: Store
  readonly appId: string
  readonly kind: FeedKind
  /** A storefront, or a language for Google reviews. */
  readonly market: string
  readonly intervalMs: number
  /** Polls in a row that did not move state; 0 after an `ok` or `empty` one. */
  readonly failures: number
  /** Null until the first poll that moved state. */
  readonly lastOkAt: Date | null
  /** The last walk ended before the first known page: the next one goes to the store's end. */
  readonly walkIncomplete: boolean
  /** The source of the last answer, e.g. `rss` or `web`. */
  readonly lastSource: string | null
  readonly sources: FeedSources
}

/** A feed as its operator and its readers see it. */
export type FeedView = Feed & {
  readonly active: boolean
  readonly nextPollAt: Date | null
  readonly lastPolledAt: Date | null
  readonly lastOutcome: PollOutcome | null
  readonly lastDetail: string | null
  /** Since when the feed fails; null while it succeeds. */
  readonly failingSince: Date | null
  readonly hasRawAnswer: boolean
  /** Last observed aggregate; null for review feeds and before the first observation. */
  readonly baseline: Rating | null
}
