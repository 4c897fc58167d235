import type { Rating } from './rating.ts'
import type { FeedKind, Store } from './vocabulary.ts'

/** The outcome of a poll (docs/stores.md, Outcomes). Only `ok` and `empty` change the state of a feed. */
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
  /** The date of the newest review that any source has shown in this feed. */
  readonly newestShownAt: Date | null
  /** The source used while the primary one fails; polls request it first. */
  readonly fallback: {
    readonly source: string
    readonly since: Date
    /** The failures of the sources that precede it. */
    readonly reason: string
    /** The time of the last request to those sources. */
    readonly probedAt: Date
  } | null
  /** A suspicion, not an error: polling continues. */
  readonly frozen: { readonly source: string; readonly since: Date; readonly reason: FrozenReason } | null
  /** When the last comparison with another source was made. */
  readonly lastComparedAt: Date | null
}

/** The reviews or the rating of an app in one market, which are polled together. */
export type Feed = {
  readonly id: number
  readonly store: Store
  readonly appId: string
  readonly kind: FeedKind
  /** A storefront, or a language for Google reviews. */
  readonly market: string
  readonly intervalMs: number
  /** Number of consecutive failed polls; 0 after an `ok` or `empty` one. */
  readonly failures: number
  /** Null until the first successful poll. */
  readonly lastOkAt: Date | null
  /** The last poll ended before it reached a known page, so the next one reads to the end of the listing. */
  readonly pagingIncomplete: boolean
  /** The source of the last response, e.g. `rss` or `web`. */
  readonly lastSource: string | null
  readonly sources: FeedSources
}

/** A feed as shown to operators and users. */
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
