import type { FeedView } from './feed.ts'

/** `unrated`: the store answers, but shows no rating of the app yet. */
export const FEED_HEALTHS = ['waiting', 'well', 'unrated', 'stale', 'blocked', 'gone', 'changed'] as const
export type FeedHealth = (typeof FEED_HEALTHS)[number]

/** Ordered from the best to the worst: an app whose other feeds are healthy is healthy, although it is not rated somewhere. */
const ORDER: readonly FeedHealth[] = ['unrated', 'well', 'waiting', 'stale', 'blocked', 'changed', 'gone']

/** The health of a feed after its last poll. */
export function feedHealth(
  feed: Pick<FeedView, 'kind' | 'lastPolledAt' | 'failingSince' | 'lastOutcome'>,
): FeedHealth {
  if (feed.lastPolledAt === null) return 'waiting'
  if (feed.failingSince === null)
    return feed.kind === 'rating' && feed.lastOutcome === 'empty' ? 'unrated' : 'well'
  switch (feed.lastOutcome) {
    case 'blocked':
    case 'gone':
    case 'changed':
      return feed.lastOutcome
    default:
      return 'stale'
  }
}

/** The worst health of the feeds; `waiting` without feeds. */
export function worstHealth(feeds: readonly Parameters<typeof feedHealth>[0][]): FeedHealth {
  const healths = feeds.map(feedHealth)
  return ORDER.findLast((health) => healths.includes(health)) ?? 'waiting'
}

const SENTENCES: Readonly<Record<FeedHealth, string | null>> = {
  well: null,
  waiting: 'Not polled yet.',
  unrated: 'The store shows no rating of this app here yet.',
  stale: 'The store did not return a usable response.',
  blocked: 'The store rejects requests. The next poll is delayed.',
  gone: 'The store has no such app in this storefront.',
  changed: "The store's response has an unknown format.",
}

/** Why a feed is unhealthy: the detail of its last poll, else a sentence about its health; null for a healthy feed. */
export function feedReason(
  feed: Parameters<typeof feedHealth>[0] & Pick<FeedView, 'lastDetail'>,
): string | null {
  const health = feedHealth(feed)
  return health === 'well' || health === 'waiting' || health === 'unrated'
    ? SENTENCES[health]
    : (feed.lastDetail ?? SENTENCES[health])
}
