import type { Store } from '../../model/vocabulary.ts'
import type { AppStore, StoreFailure } from './appstore.ts'

/**
 * A store whose public pages the operator turned off: every question has the same answer, and nothing is requested.
 * Polls record it, so that a feed shows why it has no source.
 */
export function createStoreWithoutPublicSources(store: Store): AppStore {
  const noSource: StoreFailure = {
    kind: 'unknown',
    source: 'none',
    detail:
      'This installation does not read the public pages of the stores (RADAR_PUBLIC_SOURCES=off): only reviews of connected apps are available.',
  }
  const noSearch: StoreFailure = {
    ...noSource,
    detail:
      'Searches use the public pages of the stores, which this installation does not read (RADAR_PUBLIC_SOURCES=off). Connect the app’s store account, which lists its apps, or add the app by its id through the API.',
  }
  return {
    store,
    ratingBatchMax: 100,
    reviewSources: [noSource.source],
    reviewsPage: async () => noSource,
    otherReviewsPage: async () => noSource,
    sourcePages: () => [],
    ratings: async ({ appIds }) => new Map(appIds.map((appId) => [appId, noSource])),
    firstPublishedAt: async () => null,
    search: async () => noSearch,
    app: async () => noSearch,
  }
}
