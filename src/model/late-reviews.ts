import type { Feed } from './feed.ts'
import { FRESH_MS } from './feed-interval.ts'
import type { Hook, Watch } from './hook.ts'

const HOUR_MS = 3_600_000

/**
 * The date of the oldest review that a watch takes (docs/contract.md, Late reviews): its creation, or as many hours earlier as its hook
 * takes late reviews, if the store showed the review only after the creation. That is known when a full poll after it did not show the
 * review: `unseenAt`. A new watch makes its feeds due, unless they were polled in the last minute.
 */
export function takesFrom(
  { createdAt, lateReviewsHours }: Pick<Watch, 'createdAt'> & Pick<Hook, 'lateReviewsHours'>,
  unseenAt: Date | null,
): Date {
  const wasUnseen = unseenAt !== null && unseenAt.getTime() >= createdAt.getTime() - FRESH_MS
  return wasUnseen ? new Date(createdAt.getTime() - lateReviewsHours * HOUR_MS) : createdAt
}

/** The last poll that read the newest reviews of the feed up to known ones; null without one. */
export function unseenAtOf({
  lastOkAt,
  pagingIncomplete,
}: Pick<Feed, 'lastOkAt' | 'pagingIncomplete'>): Date | null {
  return pagingIncomplete ? null : lastOkAt
}
