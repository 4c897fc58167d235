import type { WorldReview } from '../world.ts'

/** The content of one page of the feed, independent of its two formats. */
export type FeedContent = {
  readonly storefront: string
  readonly appId: string
  readonly reviews: readonly WorldReview[]
  readonly updated: string
  readonly links: readonly FeedLink[]
  readonly id: string
}
export type FeedLink = { readonly rel: string; readonly type?: string; readonly href: string }

/** The URI of an author, with a fixed id of nine digits. */
export function authorUri(storefront: string, author: string): string {
  let id = 7
  for (const unit of author) id = (id * 31 + (unit.codePointAt(0) ?? 0)) % 900_000_000
  return `https://itunes.apple.com/${storefront}/reviews/id${100_000_000 + id}`
}

/** A time with the offset -07:00, which the feed uses all year round. */
export function offsetText(instant: Date): string {
  const there = new Date(instant.getTime() - 7 * 3_600_000)
  return there.toISOString().replace(/\.\d+Z$/, '-07:00')
}
