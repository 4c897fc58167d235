import type { FeedHealth, FeedLine } from '../../contract/console/apps.ts'
import type { FeedView } from '../../model/feed.ts'

/** From the best to the worst. */
const ORDER: readonly FeedHealth[] = ['well', 'waiting', 'stale', 'blocked', 'changed', 'gone']

/** How a feed is, by what its last visit told (DESIGN 5.4). */
export function feedHealth(
  feed: Pick<FeedView, 'lastPolledAt' | 'failingSince' | 'lastOutcome'>,
): FeedHealth {
  if (feed.lastPolledAt === null) return 'waiting'
  if (feed.failingSince === null) return 'well'
  switch (feed.lastOutcome) {
    case 'blocked':
    case 'gone':
    case 'changed':
      return feed.lastOutcome
    default:
      return 'stale'
  }
}

/** The worst of several; `waiting` for none. */
export function worstHealth(feeds: readonly Parameters<typeof feedHealth>[0][]): FeedHealth {
  const healths = feeds.map(feedHealth)
  return ORDER.findLast((health) => healths.includes(health)) ?? 'waiting'
}

const SENTENCES: Readonly<Record<FeedHealth, string | null>> = {
  well: null,
  waiting: 'It was not asked for yet.',
  stale: 'The store gave no answer that counts.',
  blocked: 'The store refuses us for now; we wait before we ask again.',
  gone: 'The store has no such app here.',
  changed: "The store's answer has a shape that we do not know.",
}

/** Why a feed is not well: what the visit told, and if it told nothing what its health means; null for a well one. */
export function feedReason(feed: FeedView): string | null {
  const health = feedHealth(feed)
  return health === 'well' || health === 'waiting'
    ? SENTENCES[health]
    : (feed.lastDetail ?? SENTENCES[health])
}

export function presentFeed(feed: FeedView): FeedLine {
  return {
    kind: feed.kind,
    market: feed.market,
    health: feedHealth(feed),
    reason: feedReason(feed),
    source: feed.lastSource,
    lastOkAt: feed.lastOkAt?.toISOString() ?? null,
    nextPollAt: feed.nextPollAt?.toISOString() ?? null,
  }
}
