import type { FeedSources } from '../../src/model/feed.ts'

/** The sources of a feed that was never polled. */
export const NO_SOURCES: FeedSources = {
  newestShownAt: null,
  fallback: null,
  frozen: null,
  lastComparedAt: null,
}
