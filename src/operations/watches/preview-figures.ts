import { setImmediate } from 'node:timers/promises'
import type { AppKey, WatchFilter } from '../../model/hook.ts'
import { RATINGS_PREVIEWED_DAYS, SPIKES_PREVIEWED_DAYS } from '../../model/hook-limits.ts'
import { marketOf } from '../../model/market.ts'
import { recoveriesOf } from '../../model/rating-recovery.ts'
import { firedDrops } from '../../model/rating-rule.ts'
import {
  type NegativeReviews,
  SPIKE_LATE_MS_MAX,
  SPIKE_WINDOW_MS,
  type Spike,
  spikeOf,
} from '../../model/review-spike.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { RatingHistory, RatingPoint, ReportStorage } from '../../storage/port/reports.ts'

/** Previews of rules that compare ratings or numbers of reviews. */

export type FigureDeps = {
  readonly reports: Pick<ReportStorage, 'ratingHistories' | 'negativeReviews'>
  readonly clock: Clock
}

export type Counts = { readonly matched: number; readonly examined: number }

/** An app, and its storefronts that the rule covers. */
export type AppCovered = { readonly app: AppKey; readonly storefronts: readonly Storefront[] }

type Rule = WatchFilter & { readonly accountId: string }
type SpikeRule = NonNullable<WatchFilter['spike']>

const HOUR_MS = 3_600_000
const RATINGS_EXAMINED_MS = RATINGS_PREVIEWED_DAYS * 24 * HOUR_MS
const SPIKES_EXAMINED_MS = SPIKES_PREVIEWED_DAYS * 24 * HOUR_MS
/** A read on SQLite is synchronous, so other work gets a turn of the event loop between pages of apps. */
const APPS_PER_READ = 10

/**
 * How many drops or recoveries of the last 90 days, or spikes of the last 30, the rule matches in all these apps together. `examined`: how
 * many changes of a rating, or negative reviews, there were.
 */
export async function figureHits(
  { reports, clock }: FigureDeps,
  rule: Rule,
  apps: readonly AppCovered[],
): Promise<Counts> {
  const now = clock.now()
  const { spike } = rule
  const since = new Date(now.getTime() - RATINGS_EXAMINED_MS)
  let total: Counts = { matched: 0, examined: 0 }
  for (let from = 0; from < apps.length; from += APPS_PER_READ) {
    if (from > 0) await setImmediate()
    const page = apps.slice(from, from + APPS_PER_READ)
    const keys = page.map(({ app: { store, appId } }) => ({ store, appId }))
    if (spike === null) {
      const histories = await reports.ratingHistories(rule.accountId, keys, since)
      page.forEach(({ storefronts }, index) => {
        total = sumOf(total, ratingHits(rule, storefronts, histories[index] ?? []))
      })
    } else {
      const period = { at: now, recentMs: SPIKES_EXAMINED_MS }
      const found = await reports.negativeReviews(rule.accountId, keys, period)
      page.forEach((app, index) => {
        const negatives = found[index]
        if (negatives !== undefined) total = sumOf(total, spikeHits(spike, app, negatives, now))
      })
    }
  }
  return total
}

function countOf(hits: readonly boolean[]): Counts {
  return { matched: hits.filter((hit) => hit).length, examined: hits.length }
}

function sumOf(one: Counts, other: Counts): Counts {
  return { matched: one.matched + other.matched, examined: one.examined + other.examined }
}

/** The spikes among the negative reviews of the last 30 days, as if the stores had been polled every hour. */
function spikeHits(
  rule: SpikeRule,
  { app, storefronts }: AppCovered,
  found: NegativeReviews,
  now: Date,
): Counts {
  const markets = [...new Set(storefronts.map((storefront) => marketOf(app.store, 'reviews', storefront)))]
  const limits = { ...rule, from: new Date(0), markets }
  // A watch gets only later reviews, so the preview assumes the earliest poll.
  const polled = found.markets.map((market) => ({ ...market, polledFromMs: 0 }))
  const reviews = found.recent.filter(({ market }) => markets.includes(market))
  const hours = new Set(reviews.map(({ atMs }) => Math.ceil(atMs / HOUR_MS)))
  let matched = 0
  let firedAt: Date | null = null
  for (const hour of [...hours].sort((a, b) => a - b)) {
    const at = new Date(Math.min(hour * HOUR_MS, now.getTime()))
    const since = at.getTime() - SPIKE_LATE_MS_MAX - SPIKE_WINDOW_MS
    const recent = reviews.filter(({ atMs }) => atMs > since && atMs <= at.getTime())
    if (recent.length < limits.minReviews) continue
    const spike: Spike | null = spikeOf(limits, { ...found, markets: polled, recent }, at, firedAt)
    if (spike === null) continue
    matched += 1
    firedAt = spike.end
  }
  return { matched, examined: reviews.length }
}

/** Counts the rating changes of the last 90 days that the rule matches. */
function ratingHits(rule: Rule, storefronts: readonly Storefront[], history: RatingHistory): Counts {
  return countOf(
    history
      .filter(({ storefront }) => storefronts.includes(storefront))
      .flatMap(({ points }) => changeHits(rule, points)),
  )
}

/** For each change of the ratings of one storefront, whether the rule matches it. */
function changeHits(filter: Rule, points: readonly RatingPoint[]): boolean[] {
  const observed = points.map(({ at, rating }) => ({ ...rating, observedAtMs: at.getTime() }))
  const rule = { ...filter, createdAt: new Date(0) }
  if (filter.eventType === 'rating.recovered') {
    return recoveriesOf(rule, observed).map((recovery) => recovery !== null)
  }
  return firedDrops(rule, observed).map((drop) => drop !== null)
}
