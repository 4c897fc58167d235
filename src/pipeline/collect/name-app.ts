import { createBoundedCache } from '../../runtime/bounded-cache.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { AppStore, AppsAnswer, StoreApp } from '../appstores/appstore.ts'
import { trackRefusals } from './fetch-reviews.ts'
import type { PollDeps } from './poll-loop.ts'
import { watchedStorefronts } from './watched-storefronts.ts'

export type NameAppDeps = Pick<PollDeps, 'pace' | 'clock' | 'log' | 'meter'> & {
  readonly appStore: AppStore
  readonly storage: Pick<Storage, 'feeds' | 'hooks'>
  readonly upsertApps: (apps: readonly StoreApp[]) => Promise<void>
}

/** The wait after an answer without a name: one request a day is enough for a name. */
const RETRY_MS = 24 * 60 * 60_000
/** Apps whose lookups are cached. */
const CACHED_MAX = 10_000

/** The lookups of an app: the number of storefronts tried, and the earliest time of the next lookup. */
type LookUp = { readonly requests: number; readonly nextAtMs: number }
const NEVER: LookUp = { requests: 0, nextAtMs: 0 }

/**
 * Looks up the name of an app whose reviews are polled, since reviews do not have it. Skips apps that have a name or
 * get it from a rating feed. One lookup serves all markets and counts against the store's rate limit. A failed lookup
 * does not fail the review feed; a poll a day later retries it.
 */
export function createNameApp(deps: NameAppDeps) {
  const { appStore, storage, pace, clock } = deps
  const lookUps = createBoundedCache<string, LookUp>(CACHED_MAX)

  return async (feed: LeasedFeed, signal: AbortSignal): Promise<void> => {
    const { store, appId } = feed
    const nowMs = clock.monotonicMs()
    const { requests, nextAtMs } = lookUps.get(appId) ?? NEVER
    if (nowMs < nextAtMs || signal.aborted) return
    // Set before the first await, so that a concurrent poll of another market does not look up the same app.
    lookUps.set(appId, { requests, nextAtMs: nowMs + RETRY_MS })
    try {
      if (!(await storage.feeds.isNameless({ store, appId }))) return
      const storefronts = await watchedStorefronts(storage.hooks, feed)
      const storefront = storefronts[requests % Math.max(1, storefronts.length)]
      if (storefront === undefined) return

      const permits = trackRefusals(pace.pace)
      const answer = await appStore.app({ appId, storefront }, permits.pace, signal)
      if (permits.refused() || signal.aborted) {
        lookUps.set(appId, { requests, nextAtMs: 0 })
        return
      }
      // A language of Google has several countries, and an app may be sold in only one. The next poll tries the next
      // country.
      const hasMore = answer.kind === 'gone' && (requests + 1) % storefronts.length !== 0
      lookUps.set(appId, { requests: requests + 1, nextAtMs: hasMore ? 0 : nowMs + RETRY_MS })
      await record(deps, { store, appId, storefront }, answer)
    } catch (error) {
      // Storage is unavailable, or an internal error occurred: retry at the next poll.
      lookUps.set(appId, { requests, nextAtMs: 0 })
      throw error
    }
  }
}

async function record(
  { upsertApps, meter, pace, log }: NameAppDeps,
  { store, appId, storefront }: Pick<LeasedFeed, 'store' | 'appId'> & { readonly storefront: string },
  answer: AppsAnswer,
): Promise<void> {
  if (answer.kind === 'ok') await upsertApps(answer.apps)
  if (answer.kind === 'blocked') {
    meter.count('store_blocks_total', { store })
    await pace.block(answer.detail, answer.retryAfterMs ?? 0)
  }
  log.info('app.looked_up', {
    store,
    app_id: appId,
    storefront,
    outcome: answer.kind,
    detail: 'detail' in answer ? answer.detail : null,
  })
}
