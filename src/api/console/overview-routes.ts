import { z } from 'zod'
import type { NoticeView } from '../../contract/console/destinations.ts'
import { type Overview, RANGES, type Range } from '../../contract/console/overview.ts'
import { type Buckets, dayStarts, hourStarts } from '../../model/days.ts'
import { starsOf } from '../../model/decimal.ts'
import { feedHealth, feedReason } from '../../model/feed-health.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { MaintenanceStorage, Notice } from '../../storage/port/maintenance.ts'
import type { OverviewFigures, ReportStorage } from '../../storage/port/reports.ts'
import { type Route, route } from '../route.ts'
import { presentDrop } from './app-page.ts'
import { successRate } from './success-rate.ts'
import { ZoneParam } from './zone-param.ts'

export type OverviewDeps = {
  readonly reports: Pick<ReportStorage, 'overview'>
  readonly maintenance: Pick<MaintenanceStorage, 'notices'>
  readonly clock: Clock
}

const NOTICES_SHOWN = 8
const DROPS_SHOWN = 8

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
  { reports, maintenance, clock }: OverviewDeps,
  accountId: string,
  range: Range,
  zone = 'UTC',
): Promise<Overview> {
  const now = clock.now()
  const [figures, notices] = await Promise.all([
    reports.overview(accountId, bucketsOf(range, zone, now), now),
    maintenance.notices(accountId, { limit: NOTICES_SHOWN }),
  ])
  return presentOverview(figures, notices)
}

/** Whole hours, or days of the zone, up to and including the current one. */
function bucketsOf(range: Range, zone: string, now: Date): Buckets {
  return range === '24h' ? hourStarts(now, 24) : dayStarts(now, range === '7d' ? 7 : 30, zone)
}

export function presentNotice({ kind, at, detail, hookId, hook }: Notice): NoticeView {
  return { kind, at: at.toISOString(), detail, hookId, destination: hook }
}

function presentOverview(figures: OverviewFigures, notices: readonly Notice[]): Overview {
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
    failingFeeds: failingFeeds.map((feed) => ({
      store: feed.store,
      appId: feed.appId,
      appName: feed.appName,
      kind: feed.kind,
      market: feed.market,
      health: feedHealth(feed),
      reason: feedReason(feed),
      since: feed.failingSince?.toISOString() ?? null,
    })),
    notices: notices.map(presentNotice),
    steps: { app: rest.apps > 0, destination: hooks > 0, delivered: everDelivered },
  }
}
