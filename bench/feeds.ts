import { newId } from '../src/model/ids.ts'
import type { Store } from '../src/model/vocabulary.ts'
import { systemClock } from '../src/runtime/clock.ts'
import type { LeasedFeed } from '../src/storage/port/feeds.ts'
import type { Storage } from '../src/storage/port/storage.ts'

/** Longer than any measurement. */
const LEASE_MS = 600_000

/** Claims up to `limit` review feeds of the store that are due at `now`. */
export function claimReviewFeeds(
  storage: Storage,
  store: Store,
  limit: number,
  now = systemClock.now(),
): Promise<LeasedFeed[]> {
  return storage.feeds.claim({
    store,
    kind: 'reviews',
    now,
    lease: newId('lease'),
    leaseMs: LEASE_MS,
    limit,
    sameMarket: false,
  })
}
