import { STORE_NAMES } from '../../contract/console/display-names.ts'
import { marketName } from '../../contract/console/market-names.ts'
import { counted } from '../../model/counted.ts'
import type { FeedView } from '../../model/feed.ts'
import { type FeedHealth, feedHealth, feedReason } from '../../model/feed-health.ts'
import type { Incident } from '../../model/incident.ts'
import { publicMarketOf } from '../../model/market.ts'
import { problem } from './finding.ts'

export type FailingFeed = Pick<
  FeedView,
  'store' | 'appId' | 'kind' | 'market' | 'lastPolledAt' | 'lastOutcome' | 'lastDetail' | 'failingSince'
> & { readonly appName: string | null }

/** Apps or feeds that an incident names; during an outage of a store there may be thousands. */
const NAMED_MAX = 4

type Texts = { readonly what: string; readonly handling: string; readonly action: string | null }

const TEXTS: Readonly<Partial<Record<FeedHealth, Texts>>> = {
  stale: {
    what: 'no usable response',
    handling: 'Checks are repeated.',
    action: 'If it lasts a day, see the feeds on the page of the app.',
  },
  blocked: {
    what: 'requests are rejected',
    handling: 'Checks resume when the store allows them.',
    action: null,
  },
  gone: {
    what: 'no such app',
    handling: 'Checks are less frequent.',
    action: 'Stop tracking these storefronts if the app was removed from them.',
  },
  changed: {
    what: 'an unknown format',
    handling: 'Other sources are used where they exist.',
    action: 'Update Review Radar.',
  },
}

/** Feeds whose last poll failed: one incident for each store and state. */
export function feedIncidents(feeds: readonly FailingFeed[]): Incident[] {
  const groups = Map.groupBy(feeds, (feed) => `feeds ${feed.store} ${feedHealth(feed)}`)
  return [...groups].flatMap(([key, inState]) => {
    const [oldest] = inState.toSorted((one, other) => Number(one.failingSince) - Number(other.failingSince))
    const texts = oldest === undefined ? undefined : TEXTS[feedHealth(oldest)]
    if (oldest === undefined || texts === undefined) return []
    const apps = new Set(inState.map(({ appId }) => appId)).size
    const reason = oldest.lastDetail === null ? '' : ` ${feedReason(oldest)}`
    return problem(key, `${STORE_NAMES[oldest.store]}: ${texts.what} for ${placesOf(inState)}.${reason}`, {
      since: oldest.failingSince,
      effect: `New reviews and ratings of ${counted(apps, 'app')} are delayed.`,
      handling: texts.handling,
      action: texts.action,
      page: apps === 1 ? `/apps/${oldest.store}/${encodeURIComponent(oldest.appId)}/feeds` : '/apps',
    })
  })
}

/** `Notes (reviews of Germany, rating of United States)` of one app, `Notes, Maps and 3 more apps` of several. */
function placesOf(feeds: readonly FailingFeed[]): string {
  const names = new Map(feeds.map(({ appName, appId }) => [appId, appName ?? appId]))
  const [app = '', ...others] = names.values()
  if (others.length > 0) return listed([...names.values()], 'more app')
  return `${app} (${listed(
    feeds.map(({ store, kind, market }) => `${kind} of ${marketName(store, kind, publicMarketOf(market))}`),
    'more feed',
  )})`
}

function listed(names: readonly string[], others: string): string {
  const shown = names.slice(0, NAMED_MAX).join(', ')
  return names.length <= NAMED_MAX ? shown : `${shown} and ${counted(names.length - NAMED_MAX, others)}`
}
