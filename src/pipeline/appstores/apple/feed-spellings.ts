import { randomBytes } from 'node:crypto'
import { createBoundedCache } from '../../../runtime/bounded-cache.ts'
import { FEED_PAGE_REVIEWS, FEED_PAGES_MAX } from './feed-page.ts'
import { FEED_SPELLINGS } from './known-formats.ts'

/**
 * Which address of the feed to request next: the one that worked last for this app, another one after an empty page. Kept in memory, for
 * the 10,000 apps used last: a restart costs one more request for each app with a cached empty page.
 */
export type FeedSpellings = {
  readonly all: readonly string[]
  readonly next: (listing: Listing) => number
  /** After an answer of this spelling. */
  readonly answered: (listing: Listing, spelling: number, hasReviews: boolean) => void
}

type Listing = { readonly appId: string; readonly storefront: string }
/** The position of a review: from 0, newest first. */
type ListingPage = Listing & { readonly position: number }

const REMEMBERED_MAX = 10_000

export function createFeedSpellings(all: readonly string[]): FeedSpellings {
  const known = createBoundedCache<string, number>(REMEMBERED_MAX)
  const keyOf = ({ appId, storefront }: Listing) => `${storefront} ${appId}`
  return {
    all,
    next: (listing) => known.get(keyOf(listing)) ?? 0,
    answered: (listing, spelling, hasReviews) => {
      const next = hasReviews ? spelling : (spelling + 1) % all.length
      // Most apps never need another one.
      if (next !== (known.get(keyOf(listing)) ?? 0)) known.set(keyOf(listing), next)
    },
  }
}

/** Path and query of the page that holds the position. */
export function feedPath(
  listing: ListingPage,
  form: 'json' | 'xml',
  spelling: number,
  all: readonly string[] = FEED_SPELLINGS,
): string {
  const values: Readonly<Record<string, string | number>> = {
    storefront: listing.storefront,
    id: listing.appId,
    page: feedPageOf(listing),
    form,
  }
  const path = (all[spelling] ?? FEED_SPELLINGS[0]).replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
  if (spelling === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}r=${randomBytes(6).toString('hex')}`
}

/** 1 to 10. */
export function feedPageOf({ position }: ListingPage): number {
  return Math.min(Math.floor(position / FEED_PAGE_REVIEWS) + 1, FEED_PAGES_MAX)
}
