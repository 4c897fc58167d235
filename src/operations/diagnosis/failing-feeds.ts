import { STORE_NAMES } from '../../contract/console/display-names.ts'
import { marketName } from '../../contract/console/market-names.ts'
import { counted } from '../../model/counted.ts'
import type { FeedView } from '../../model/feed.ts'
import { type FeedHealth, feedHealth, feedReason } from '../../model/feed-health.ts'
import type { Incident } from '../../model/incident.ts'
import { publicMarketOf } from '../../model/market.ts'
import type { FailingApps } from '../../storage/port/reports.ts'
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

/** Feeds whose last poll failed, or the longest failing ones with the number of all their apps: one incident for each store and health. */
export function feedIncidents(
  feeds: readonly FailingFeed[],
  failingApps: readonly FailingApps[] = appsOf(feeds),
): Incident[] {
  const groups = Map.groupBy(feeds, (feed) => `feeds ${feed.store} ${feedHealth(feed)}`)
  return [...groups].flatMap(([key, inState]) => {
    const [oldest] = inState.toSorted((one, other) => Number(one.failingSince) - Number(other.failingSince))
    const texts = oldest === undefined ? undefined : TEXTS[feedHealth(oldest)]
    if (oldest === undefined || texts === undefined) return []
    const health = feedHealth(oldest)
    const apps = failingApps.find((each) => each.store === oldest.store && each.health === health)?.apps ?? 1
    const reason = oldest.lastDetail === null ? '' : ` ${feedReason(oldest)}`
    return problem(
      key,
      `${STORE_NAMES[oldest.store]}: ${texts.what} for ${placesOf(inState, apps)}.${reason}`,
      {
        since: oldest.failingSince,
        effect: `New reviews and ratings of ${counted(apps, 'app')} are delayed.`,
        handling: texts.handling,
        action: texts.action,
        page: apps === 1 ? `/apps/${oldest.store}/${encodeURIComponent(oldest.appId)}/feeds` : '/apps',
      },
    )
  })
}

function appsOf(feeds: readonly FailingFeed[]): FailingApps[] {
  return [...Map.groupBy(feeds, (feed) => `${feed.store} ${feedHealth(feed)}`).values()].flatMap((group) => {
    const [feed] = group
    const apps = new Set(group.map(({ appId }) => appId)).size
    return feed === undefined ? [] : { store: feed.store, health: feedHealth(feed), apps }
  })
}

/** `Notes (reviews of Germany, rating of United States)` of one app, `Notes, Maps and 3 more apps` of several. */
function placesOf(feeds: readonly FailingFeed[], apps: number): string {
  const names = new Map(feeds.map(({ appName, appId }) => [appId, appName ?? appId]))
  const [app = ''] = names.values()
  if (apps > 1) return listed([...names.values()], apps, 'more app')
  const markets = feeds.map(
    ({ store, kind, market }) => `${kind} of ${marketName(store, kind, publicMarketOf(market))}`,
  )
  return `${app} (${listed(markets, markets.length, 'more feed')})`
}

/** Of `total` names, of which `names` are known. */
function listed(names: readonly string[], total: number, others: string): string {
  const shown = names.slice(0, NAMED_MAX)
  const rest = total - shown.length
  return `${shown.join(', ')}${rest <= 0 ? '' : ` and ${counted(rest, others)}`}`
}
