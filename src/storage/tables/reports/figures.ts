import type { Buckets } from '../../../model/days.ts'
import type { FeedView } from '../../../model/feed.ts'
import { appKeyOf } from '../../../model/hook.ts'
import type { Rating } from '../../../model/rating.ts'
import type { Storefront } from '../../../model/vocabulary.ts'
import type { FailingHooks, HookFigures, OverviewFigures, RatingDrops } from '../../port/reports.ts'
import { dateOf, dateOrNull } from '../../values.ts'
import {
  countOf,
  DEAD_LETTERED,
  deliveredIn,
  FAILED,
  HOUR_MS,
  hourOf,
  percentileMs,
} from '../queue/latency.ts'

/** The overview and the health of hooks from the rows of either engine. */

export type HourRow = {
  readonly hook_id: string
  readonly hour_at: number
  readonly outcome: number
  readonly count: number
}
export type BucketRow = { readonly bucket: number; readonly reviews: number }
export type QueueRow = {
  readonly pending: number
  /** Of failing hooks. */
  readonly late: number
  readonly held: number
  readonly dead: number
  readonly due_at: number | null
}
export type MovementRow = { readonly feed_id: number; readonly micros: number; readonly count: number }
export type HookRow = {
  readonly id: string
  readonly pending: number
  readonly is_paused: boolean | number
  readonly dead: number
  /** Of the newest deliveries, and of those before the first pending one. */
  readonly last_delivered_at: number | null
  readonly delivered_before_pending_at: number | null
  readonly breaker_open_until: number | null
  readonly failing_since: number | null
}
/** `total`: of all failing hooks. */
export type FailingHookRow = {
  readonly id: string
  readonly name: string | null
  readonly target_url: string
  readonly failing_since: number
  readonly pending: number
  readonly total: number
}

export const FAILING_HOOKS_MAX = 10
const MOVEMENTS_MAX = 20

export function overviewOf(given: {
  readonly buckets: Buckets
  readonly apps: number
  readonly hooks: number
  readonly hours: readonly HourRow[]
  readonly reviews: readonly BucketRow[]
  readonly drops: RatingDrops
  readonly queue: QueueRow
  readonly feeds: readonly FeedView[]
  readonly names: ReadonlyMap<string, { readonly name: string }>
  readonly before: readonly MovementRow[]
  readonly everDelivered: boolean
}): OverviewFigures {
  const { buckets, hours, reviews, queue, feeds, names } = given
  const nameOf = (feed: FeedView) => names.get(appKeyOf(feed))?.name ?? null
  const inBucket = Map.groupBy(hours, ({ hour_at }) =>
    buckets.findLastIndex((from) => from.getTime() <= hour_at),
  )
  const reviewsIn = new Map<number, number>()
  for (const row of reviews) reviewsIn.set(row.bucket, (reviewsIn.get(row.bucket) ?? 0) + row.reviews)
  return {
    apps: given.apps,
    hooks: given.hooks,
    reviews: [...reviewsIn.values()].reduce((total, count) => total + count, 0),
    drops: {
      total: given.drops.total,
      newest: given.drops.newest.map((drop) => ({
        ...drop,
        appName: names.get(appKeyOf(drop))?.name ?? null,
      })),
    },
    delivered: deliveredIn(hours),
    failedAttempts: countOf(hours, FAILED),
    died: countOf(hours, DEAD_LETTERED),
    pending: queue.pending,
    late: queue.late,
    held: queue.held,
    dead: queue.dead,
    oldestDueAt: dateOrNull(queue.due_at),
    p95Ms: percentileMs(hours, 0.95),
    series: buckets.map((at, bucket) => {
      const ofBucket = inBucket.get(bucket) ?? []
      return {
        at,
        reviews: reviewsIn.get(bucket) ?? 0,
        delivered: deliveredIn(ofBucket),
        failed: countOf(ofBucket, FAILED),
      }
    }),
    movements: movementsOf(given.before, feeds, nameOf),
    everDelivered: given.everDelivered,
  }
}

export function failingHooksOf(rows: readonly FailingHookRow[]): FailingHooks {
  return {
    total: rows[0]?.total ?? 0,
    longest: rows.map(({ id, name, target_url, failing_since, pending }) => ({
      id,
      name,
      targetUrl: target_url,
      failingSince: dateOf(failing_since),
      pending,
    })),
  }
}

function movementsOf(
  before: readonly MovementRow[],
  feeds: readonly FeedView[],
  nameOf: (feed: FeedView) => string | null,
): OverviewFigures['movements'] {
  const byId = new Map(feeds.map((feed) => [feed.id, feed]))
  return before
    .flatMap(({ feed_id, micros, count }) => {
      const feed = byId.get(feed_id)
      const now = feed?.baseline ?? null
      if (feed === undefined || now === null || now.micros === micros) return []
      const was: Rating = { micros, count }
      const { store, appId, market } = feed
      // The market of a rating feed is its storefront.
      return [{ store, appId, appName: nameOf(feed), storefront: market as Storefront, before: was, now }]
    })
    .sort((a, b) => a.now.micros - a.before.micros - (b.now.micros - b.before.micros))
    .slice(0, MOVEMENTS_MAX)
}

const HOURS_SHOWN = 24

/** The first hour of `hookFiguresOf`. */
export function firstHourOf(now: Date): number {
  return hourOf(now) - (HOURS_SHOWN - 1) * HOUR_MS
}

/** The start of the last hour with an accepted delivery. */
function lastHourOf(hours: readonly HourRow[]): number | null {
  const accepted = hours.filter((hour) => deliveredIn([hour]) > 0)
  return accepted.length === 0 ? null : Math.max(...accepted.map(({ hour_at }) => hour_at))
}

/** The latest known one. The hour is later only when neither search found the last delivery; then its start is up to an hour early. */
function lastDeliveredOf(hook: HookRow, hourAt: number | null): number | null {
  const known = [hook.last_delivered_at, hook.delivered_before_pending_at, hourAt].filter((at) => at !== null)
  return known.length === 0 ? null : Math.max(...known)
}

export function hookFiguresOf(
  hooks: readonly HookRow[],
  hours: readonly HourRow[],
  now: Date,
): Map<string, HookFigures> {
  const byHook = Map.groupBy(hours, ({ hook_id }) => hook_id)
  const firstMs = firstHourOf(now)
  return new Map(
    hooks.map((hook) => {
      const ofHook = byHook.get(hook.id) ?? []
      const byHour = Map.groupBy(ofHook, ({ hour_at }) => hour_at)
      return [
        hook.id,
        {
          delivered: deliveredIn(ofHook),
          failedAttempts: countOf(ofHook, FAILED),
          died: countOf(ofHook, DEAD_LETTERED),
          pending: hook.pending,
          late: hook.failing_since === null || hook.is_paused ? 0 : hook.pending,
          dead: hook.dead,
          p50Ms: percentileMs(ofHook, 0.5),
          p95Ms: percentileMs(ofHook, 0.95),
          lastDeliveredAt: dateOrNull(lastDeliveredOf(hook, lastHourOf(ofHook))),
          breakerOpenUntil: dateOrNull(hook.breaker_open_until),
          failingSince: dateOrNull(hook.failing_since),
          perHour: Array.from({ length: HOURS_SHOWN }, (_, hour) => {
            const ofHour = byHour.get(firstMs + hour * HOUR_MS) ?? []
            return { delivered: deliveredIn(ofHour), failed: countOf(ofHour, FAILED) }
          }),
        },
      ]
    }),
  )
}

/** Changes when a feed is new, starts or stops failing, or gets its first result or another rating. */
export function feedMark(feeds: readonly FeedView[], scopes: readonly unknown[]): string {
  const states = feeds.map(({ id, lastOutcome, lastOkAt, baseline }) =>
    [id, lastOutcome, lastOkAt !== null, baseline?.micros, baseline?.count].join('.'),
  )
  return [scopes.length, ...states].join(' ')
}
