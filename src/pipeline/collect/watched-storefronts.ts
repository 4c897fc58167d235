import { storefrontsOf } from '../../model/market.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'

/**
 * The storefronts of a feed's market in which its app is watched: an app may be sold in only some countries of a language. All of the
 * market if it is no longer watched in any.
 */
export async function watchedStorefronts(
  hooks: Pick<HookStorage, 'watchedStorefronts'>,
  feed: Pick<LeasedFeed, 'store' | 'kind' | 'market' | 'appId'>,
): Promise<readonly Storefront[]> {
  const ofMarket = storefrontsOf(feed.store, feed.kind, feed.market)
  if (ofMarket.length <= 1) return ofMarket
  const watched = await hooks.watchedStorefronts(feed)
  const both = ofMarket.filter((storefront) => watched.includes(storefront))
  return both.length === 0 ? ofMarket : both
}
