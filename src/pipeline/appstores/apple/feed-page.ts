import type { PageRows } from '../review-page-rows.ts'

/** One page of the customer reviews feed, in either form. */
export type FeedPage = PageRows & {
  /**
   * Page numbers from the feed's links. They are only hints: a feed has named its first page as the last and still
   * linked to a next one.
   */
  readonly lastPage: number | null
  readonly nextPage: number | null
}

/** Reviews of a full page (measured 2018 to 2026). */
export const FEED_PAGE_REVIEWS = 50
/** The feed rejects page 11 (recorded 2026-08), so it shows the 500 newest reviews of a storefront. */
export const FEED_PAGES_MAX = 10

/** The page of a link; null without one. `page=` occurs in the path of a link and in its `urlDesc`; the path counts. */
export function pageOfLink(href: string): number | null {
  const found = /\/page=(\d{1,4})(?:\/|$)/.exec(href.split('?', 1)[0] ?? '')
  return found === null ? null : Number(found[1])
}
