/** A new feed's interval until its visits adapt it (DESIGN 5.5). */
export const FEED_INTERVAL_MS = 15 * 60_000

/** A subscribe asks again for feeds that were not polled for this long. */
export const FRESH_MS = 60_000

/** A rating that stays the same is noted in its history this often. */
export const RATING_NOTED_MS = 24 * 3_600_000

/** The use of a token is noted this often. */
export const TOKEN_USE_NOTED_MS = 60_000
