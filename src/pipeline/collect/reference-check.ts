import { marketOf } from '../../model/market.ts'
import { afterCheck, afterCheckBegan } from '../../model/source-health.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { FeedStorage } from '../../storage/port/feeds.ts'
import type { AppStore, SourcePageAnswer } from '../appstores/appstore.ts'
import { askSources } from './ask-sources.ts'
import { backOff } from './back-off.ts'
import { findingsOfRequests } from './compare-sources.ts'
import type { PollDeps } from './poll-loop.ts'
import type { StoreSources } from './store-sources.ts'

/**
 * A frozen source is reported within six hours: 2 h until its newest review is that much older than another's, 3 h 20 min until a check, up
 * to 10 min until the loop sees that it is due, and up to 20 min for its requests and repeats: 5 h 50 min. At most eight checks begin on a
 * day, usually seven, which leaves a request of each source for a repeat.
 */
const CHECK_EVERY_MS = (3 * 60 + 20) * 60_000
const IDLE_MS = 10 * 60_000

/** The storefront of reference apps: that with the most reviews. */
const STOREFRONT: Storefront = 'us'

/**
 * Asks every source of a store for one busy app and compares the answers, at the start and every 3 h 20 min, on one node: the claim is
 * stored before the first request. It notices what polls cannot: a source that is frozen, unsorted or changed, but not asked because
 * an earlier one serves, and a store that shows reviews later than usual.
 */
export function referenceCheckLoop(
  deps: Pick<PollDeps, 'pace' | 'clock' | 'meter' | 'log'> & {
    readonly appStore: AppStore
    readonly storeSources: StoreSources
    readonly feeds: Pick<FeedStorage, 'counts'>
  },
  appId: string,
): Loop {
  const { appStore, storeSources, pace, clock, log } = deps
  const { store } = appStore
  return {
    name: `check.${store}`,
    idleMs: IDLE_MS,
    async pass(signal) {
      // Without feeds nothing is asked of a store.
      if (!(await isPolled(deps))) return 'idle'
      if (!(await claim(storeSources))) return 'idle'
      const market = marketOf(store, 'reviews', STOREFRONT)
      const pages = appStore.sourcePages({ appId, market })
      const asked = await askSources({ storeSources, clock, pace: pace.pace }, pages, signal)
      if (asked === null) return 'idle'
      await backOffIfBlocked(
        deps,
        asked.map(({ answer }) => answer),
      )
      const findings = findingsOfRequests(asked, clock.now())
      await storeSources.change((records, now) => {
        const after = new Map(records.map((record) => [record.source, record]))
        for (const { source, finding } of findings) {
          const record = after.get(source)
          if (record !== undefined)
            after.set(source, { ...record, ...afterCheck(record, finding, appId, now) })
        }
        return [...after.values()]
      })
      log.info('sources.compared', {
        store,
        app_id: appId,
        sources: asked.map(({ source, answer }, index) => {
          const finding = findings[index]?.finding
          return {
            source,
            answer: answer.kind,
            fault: finding?.fault ?? null,
            newest_at: finding?.newestAt?.toISOString() ?? null,
            overlap: finding?.overlap ?? null,
          }
        }),
      })
      return 'idle'
    },
  }
}

async function isPolled({
  appStore,
  feeds,
}: {
  readonly appStore: AppStore
  readonly feeds: Pick<FeedStorage, 'counts'>
}): Promise<boolean> {
  const counts = await feeds.counts()
  return counts.some(
    ({ store, kind, active }) => store === appStore.store && kind === 'reviews' && active > 0,
  )
}

/**
 * Whether this node makes the check, which is due when it is for any source, such as a new one. If the node dies meanwhile, the next check
 * is as late as after this one.
 */
async function claim(storeSources: StoreSources): Promise<boolean> {
  let isClaimed = false
  await storeSources.change((records, now) => {
    isClaimed = records.some(({ checkedAt }) => (checkedAt?.getTime() ?? 0) + CHECK_EVERY_MS <= now.getTime())
    return isClaimed ? records.map((record) => ({ ...record, ...afterCheckBegan(record, 0, now) })) : records
  })
  return isClaimed
}

/** A block of all sources is one of the store; otherwise it is a fault of the source. */
async function backOffIfBlocked(
  deps: Parameters<typeof backOff>[0] & { readonly appStore: AppStore },
  answers: readonly SourcePageAnswer[],
): Promise<void> {
  const blocks = answers.flatMap((answer) => (answer.kind === 'blocked' ? [answer] : []))
  if (blocks.length > 0 && blocks.length === answers.length) await backOff(deps, deps.appStore.store, blocks)
}
