/** A new feed's interval until its polls adapt it (docs/architecture.md, Rates). */
export const FEED_INTERVAL_MS = 15 * 60_000

/** A subscribe makes feeds due that were not polled for this long. */
export const FRESH_MS = 60_000

/** An unchanged rating is added to its history this often. */
export const RATING_HISTORY_INTERVAL_MS = 24 * 3_600_000

/** The use of a token is stored at most this often. */
export const TOKEN_USE_INTERVAL_MS = 60_000
