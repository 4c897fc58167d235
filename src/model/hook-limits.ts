/** Limits of hooks and watches. The schemas of the contract and the operations share them. */

/** The watches of a hook fit on one page. A watch set counts as one. */
export const WATCHES_MAX = 200
/** Apps that a watch set names. One of all apps has as many as the account. */
export const SET_APPS_MAX = 200
/** Android package names have at most 255 characters, Apple's ids 20 digits. */
export const APP_ID_CHARS_MAX = 255
export const STARS = { min: 1, max: 5 } as const
/** A heading and two lines of text. */
export const HOOK_NAME_CHARS_MAX = 100
export const HOOK_DESCRIPTION_CHARS_MAX = 500
/** Values in one filter of reviews, such as keywords. */
export const FILTER_VALUES_MAX = 20
/** A phrase of a few words. */
export const KEYWORD_CHARS_MAX = 100
/** Versions of apps have at most 18 characters (Apple) and rarely more (Google). */
export const APP_VERSION_CHARS_MAX = 50
export const COMPETITOR_CHARS_MAX = 100
/** The fall of a rating, in stars. */
export const DELTA = { min: 0, max: 4 } as const
/** The window of a slow slide, in hours: up to 30 days. */
export const DELTA_WINDOW_HOURS = { min: 1, max: 720 } as const
/** The negative reviews that make a spike, at least. */
export const SPIKE_MIN_REVIEWS = { min: 2, max: 1_000, default: 5 } as const
/** How many times the usual number a spike has. */
export const SPIKE_FACTOR = { min: 1.5, max: 100, default: 3 } as const
/** How far a preview of a rule looks back. */
export const RATINGS_PREVIEWED_DAYS = 90
export const SPIKES_PREVIEWED_DAYS = 30
/** The value that a rating falls below, in stars. */
export const THRESHOLD = { min: 1, max: 5 } as const
/** The interval between messages of a schedule, in minutes: up to a day. */
export const MESSAGE_INTERVAL_MINUTES = { min: 1, max: 1_440 } as const
/** Monday is 1. */
export const WEEKDAY = { min: 1, max: 7 } as const
/** How long before a watch a review may be written that the store shows only after it. */
export const LATE_REVIEWS_HOURS = { min: 0, max: 72 } as const
/** Requests per second that a hook may be limited to. */
export const RATE_PER_SECOND = { min: 0.1, max: 1_000 } as const
/** The time during which a replaced secret still signs; 0 revokes it immediately. */
export const OVERLAP_HOURS = { min: 0, max: 168, default: 24 } as const
