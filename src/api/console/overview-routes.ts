import { z } from 'zod'
import type { NoticeView } from '../../contract/console/destinations.ts'
import { type Overview, RANGES, type Range } from '../../contract/console/overview.ts'
import { starsOf } from '../../model/decimal.ts'
import { type DiskLevel, diskSentence } from '../../model/disk-space.ts'
import { feedHealth, feedReason } from '../../model/feed-health.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Notice, OverviewFigures } from '../../operations/overview.ts'
import { type Route, route } from '../route.ts'
import { presentDrop } from './app-page.ts'
import { successRate } from './success-rate.ts'
import { ZoneParam } from './zone-param.ts'

export type OverviewDeps = {
  readonly operations: Pick<Operations, 'overview'>
  readonly disk: { readonly state: () => { readonly level: DiskLevel } }
}

const DROPS_SHOWN = 8
/** Of an outage of a store that concerns hundreds of feeds, their number is enough. */
const PLACES_MAX = 8

const OverviewQuery = z.object({
  range: z.enum(RANGES, { error: `range: one of ${RANGES.join(', ')}` }).default('24h'),
  zone: ZoneParam,
})

export function overviewRoutes(deps: OverviewDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/overview',
      query: OverviewQuery,
      run: ({ caller: { accountId }, query }) => overviewOf(deps, accountId, query.range, query.zone),
    }),
  ]
}

/** The range of 24 hours does not depend on the zone. */
export async function overviewOf(
  { operations: { overview }, disk }: OverviewDeps,
  accountId: string,
  range: Range,
  zone = 'UTC',
): Promise<Overview> {
  const { figures, notices } = await overview.of(accountId, range, zone)
  // Without the bytes, which only the operator needs to know.
  return {
    stopped: disk.state().level === 'full' ? diskSentence('full', null) : null,
    ...presentOverview(figures, notices),
  }
}

export function presentNotice({ kind, at, detail, hookId, hook }: Notice): NoticeView {
  return { kind, at: at.toISOString(), detail, hookId, destination: hook }
}

function presentOverview(figures: OverviewFigures, notices: readonly Notice[]): Omit<Overview, 'stopped'> {
  const { everDelivered, failingFeeds, failingHooks, hooks, movements, oldestDueAt, series, ...rest } =
    figures
  return {
    apps: rest.apps,
    destinations: hooks,
    reviews: rest.reviews,
    drops: rest.drops.total,
    newestDrops: rest.drops.newest.slice(0, DROPS_SHOWN).map(({ appName, ...drop }) => ({
      ...presentDrop(drop),
      store: drop.store,
      appId: drop.appId,
      appName,
    })),
    delivered: rest.delivered,
    failedAttempts: rest.failedAttempts,
    successRate: successRate(figures),
    pending: rest.pending,
    late: rest.late,
    held: rest.held,
    oldestDueAt: oldestDueAt?.toISOString() ?? null,
    dead: rest.dead,
    p95Ms: rest.p95Ms,
    series: series.map((bucket) => ({ ...bucket, at: bucket.at.toISOString() })),
    movements: movements.map(({ before, now, ...app }) => ({
      ...app,
      before: starsOf(before.micros),
      now: starsOf(now.micros),
      count: now.count,
    })),
    failingDestinations: {
      total: failingHooks.total,
      longest: failingHooks.longest.map(({ failingSince, ...line }) => ({
        ...line,
        failingSince: failingSince.toISOString(),
      })),
    },
    feedProblems: feedProblemsOf(failingFeeds),
    notices: notices.map(presentNotice),
    steps: { app: rest.apps > 0, destination: hooks > 0, delivered: everDelivered },
  }
}

/** An outage of a store concerns every storefront of every app: one line for each app and state. */
function feedProblemsOf(feeds: OverviewFigures['failingFeeds']): Overview['feedProblems'] {
  const groups = Map.groupBy(feeds, (feed) => JSON.stringify([feed.store, feed.appId, feedHealth(feed)]))
  return [...groups.values()]
    .toSorted((one, other) => other.length - one.length)
    .flatMap((inState) => {
      const [oldest] = inState.toSorted((one, other) => Number(one.failingSince) - Number(other.failingSince))
      if (oldest === undefined) return []
      return {
        store: oldest.store,
        appId: oldest.appId,
        appName: oldest.appName,
        health: feedHealth(oldest),
        feeds: inState.length,
        places: inState.length > PLACES_MAX ? [] : inState.map(({ kind, market }) => ({ kind, market })),
        reason: feedReason(oldest),
        since: oldest.failingSince?.toISOString() ?? null,
      }
    })
}
