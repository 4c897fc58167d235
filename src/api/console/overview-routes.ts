import { z } from 'zod'
import type { NoticeView } from '../../contract/console/destinations.ts'
import { type Overview, RANGES, type Range } from '../../contract/console/overview.ts'
import { starsOf } from '../../model/decimal.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Notice, OverviewFigures } from '../../operations/overview.ts'
import { type Route, route } from '../route.ts'
import { presentDrop } from './app-page.ts'
import { successRate } from './success-rate.ts'
import { ZoneParam } from './zone-param.ts'

export type OverviewDeps = {
  readonly operations: Pick<Operations, 'overview'>
}

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
  { operations: { overview } }: OverviewDeps,
  accountId: string,
  range: Range,
  zone = 'UTC',
): Promise<Overview> {
  const { figures, notices } = await overview.of(accountId, range, zone)
  return presentOverview(figures, notices)
}

export function presentNotice({ kind, at, detail, hookId, hook }: Notice): NoticeView {
  return { kind, at: at.toISOString(), detail, hookId, destination: hook }
}

function presentOverview(figures: OverviewFigures, notices: readonly Notice[]): Overview {
  const { everDelivered, hooks, movements, oldestDueAt, series, ...rest } = figures
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
    notices: notices.map(presentNotice),
    steps: { app: rest.apps > 0, destination: hooks > 0, delivered: everDelivered },
  }
}
