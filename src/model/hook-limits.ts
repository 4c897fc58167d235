/** Limits of hooks and watches. The schemas of the contract and the operations share them. */

/** Chosen: the watches of a hook fit on a page. */
export const WATCHES_MAX = 200
/** Chosen: Android package names end at 255, Apple's ids at 20 digits. */
export const APP_ID_CHARS_MAX = 255
export const STARS = { min: 1, max: 5 } as const
/** In stars: the size of a rating's fall. */
export const DELTA = { min: 0, max: 4 } as const
/** In stars: the value that a rating falls below. */
export const THRESHOLD = { min: 1, max: 5 } as const
/** Requests per second that a hook may be limited to. */
export const RATE_PER_SECOND = { min: 0.1, max: 1_000 } as const
/** How long a replaced secret still signs; 0 revokes it immediately. */
export const OVERLAP_HOURS = { min: 0, max: 168, default: 24 } as const
