import type { LeasedFeed, Poll } from '../../storage/port/feeds.ts'

/** A successful poll by the feed's last source. */
export function settledPoll(feed: LeasedFeed, polledAt: Date): Poll {
  const { id: feedId, lease, store, kind } = feed
  const source = store === 'google' ? 'details' : 'lookup'
  return {
    feedId,
    lease,
    polledAt,
    outcome: 'ok',
    source: kind === 'rating' ? source : 'rss',
    detail: null,
    raw: null,
  }
}
