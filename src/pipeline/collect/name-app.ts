import { storefrontsOf } from '../../model/market.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { Storage } from '../../storage/port.ts'
import type { AppStore, StoreApp } from '../appstores/appstore.ts'
import type { PollDeps } from './poll-loop.ts'
import { countingTurns } from './walk.ts'

export type NameAppDeps = Pick<PollDeps, 'pace' | 'clock' | 'log' | 'meter'> & {
  readonly appStore: AppStore
  readonly storage: Pick<Storage, 'feeds'>
  readonly noteApps: (apps: readonly StoreApp[]) => Promise<void>
}

/** After an answer that named nothing. Chosen: a name in a list is not worth more than a request a day. */
const AGAIN_MS = 24 * 60 * 60_000
/** Apps remembered as asked for; beyond it the memory starts anew. */
const REMEMBERED_MAX = 10_000

/**
 * Reviews do not tell what their app is called. For an app that nobody named yet and that no rating look-up will name,
 * the store is asked, once for all markets, at its pace. When it does not tell, that is no trouble of the review feed:
 * another visit asks again, a day later.
 */
export function createNameApp(deps: NameAppDeps) {
  const { appStore, storage, pace, clock, log, meter } = deps
  const asked = new Map<string, { readonly times: number; readonly againAtMs: number }>()

  return async (feed: LeasedFeed, signal: AbortSignal): Promise<void> => {
    const { store, appId, kind, market } = feed
    const nowMs = clock.monotonicMs()
    const { times, againAtMs } = asked.get(appId) ?? { times: 0, againAtMs: 0 }
    if (nowMs < againAtMs || signal.aborted) return
    const remember = (next: { times: number; againAtMs: number }) => {
      if (asked.size >= REMEMBERED_MAX) asked.clear()
      asked.set(appId, next)
    }
    // Before the first wait, so that a visit of another market does not ask for the same.
    remember({ times, againAtMs: nowMs + AGAIN_MS })
    try {
      const storefronts = storefrontsOf(store, kind, market)
      const storefront = storefronts[times % Math.max(1, storefronts.length)]
      if (storefront === undefined || !(await storage.feeds.isNameless({ store, appId }))) return

      const turns = countingTurns(pace.pace)
      const answer = await appStore.app({ appId, storefront }, turns.pace, signal)
      if (turns.refused() || signal.aborted) return remember({ times, againAtMs: 0 })
      // A language of Google's has several countries, and an app may be sold in one of them alone: the next visit asks there.
      const elsewhere = answer.kind === 'gone' && (times + 1) % storefronts.length !== 0
      remember({ times: times + 1, againAtMs: elsewhere ? 0 : nowMs + AGAIN_MS })
      if (answer.kind === 'ok') await deps.noteApps(answer.apps)
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
    } catch (error) {
      // Storage is unavailable, or an internal error: no reason to wait a day.
      remember({ times, againAtMs: 0 })
      throw error
    }
  }
}
