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
