/** Requests to Apple and names in its answers, as data: what changes when Apple moves something. */

/**
 * Values of `$kind` on an app's page (recorded 2026-09): one of them proves that a page without reviews has the known format. The page
 * of a new app has none of the first three.
 */
export const PAGE_KINDS: ReadonlySet<string> = new Set([
  'Review',
  'Ratings',
  'Response',
  'ProductPageIntent',
  'Shelf',
  'TitledParagraph',
  'flowAction',
])

/**
 * Orders of `userReviewsRow`, in the order of requests: 0 was newest first (fixture of 2026-09), and Apple's own list calls 4 "Most
 * Recent". 1 is the most helpful first.
 */
export const ROW_SORTS = [0, 4] as const

/**
 * Addresses of the same page of the feed: a cache may keep an empty page for one of them for hours (C 2026-11). The first is the usual
 * one; the others also get a random parameter. `form` is json or xml.
 */
export const FEED_SPELLINGS = [
  '/{storefront}/rss/customerreviews/page={page}/id={id}/sortby=mostrecent/{form}',
  '/{storefront}/rss/customerreviews/id={id}/sortBy=mostRecent/page={page}/{form}',
  '/rss/customerreviews/page={page}/id={id}/sortby=mostrecent/{form}?cc={storefront}',
  '/{storefront}/rss/customerreviews/page={page}/sortBy=mostRecent/id={id}/{form}?l=en&cc={storefront}',
] as const
