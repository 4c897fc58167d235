/** A new feed's interval until its polls adapt it (docs/architecture.md, Rates). */
export const FEED_INTERVAL_MS = 15 * 60_000

/** A subscribe makes feeds due that were not polled during this time. */
export const FRESH_MS = 60_000

/** The interval at which an unchanged rating is added to its history. */
export const RATING_HISTORY_INTERVAL_MS = 24 * 3_600_000
