import type { AppKey, Watch, WatchSet } from '../../model/hook.ts'
import { RATINGS_PREVIEWED_DAYS, SPIKES_PREVIEWED_DAYS } from '../../model/hook-limits.ts'
import { marketOf } from '../../model/market.ts'
import { recoveriesOf } from '../../model/rating-recovery.ts'
import { firedDrops } from '../../model/rating-rule.ts'
import { SPIKE_LATE_MS_MAX, SPIKE_WINDOW_MS, type Spike, spikeOf } from '../../model/review-spike.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import { match } from '../../pipeline/fanout/match.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { HookStorage, WatchedApp } from '../../storage/port/hooks.ts'
import type { RatingPoint, ReportStorage, ReviewFilter, ReviewRecord } from '../../storage/port/reports.ts'
import { newWatch, type WatchInput } from './new-watch.ts'
import { newWatchSet, type WatchSetInput } from './new-watch-set.ts'

export type PreviewDeps = {
  readonly hooks: Pick<HookStorage, 'watchedApps'>
  readonly reports: Pick<ReportStorage, 'reviews' | 'ratingHistory' | 'negativeReviews'>
  readonly clock: Clock
}

/** How many of the newest reviews or rating changes a watch matches. */
export type Preview = { readonly watch: Watch; readonly matched: number; readonly examined: number }

export type SetPreview = { readonly set: WatchSet; readonly matched: number; readonly examined: number }

/** Enough to judge a rule, and fast to read. */
const REVIEWS_EXAMINED = 200
const HOUR_MS = 3_600_000
const RATINGS_EXAMINED_MS = RATINGS_PREVIEWED_DAYS * 24 * HOUR_MS
const SPIKES_EXAMINED_MS = SPIKES_PREVIEWED_DAYS * 24 * HOUR_MS
/** Reviews of the account among which those of many named apps are searched. */
const REVIEWS_SEARCHED = 2_000
const APPS_READ_ONE_BY_ONE = 20

export async function previewWatch(
  deps: PreviewDeps,
  accountId: string,
  input: WatchInput,
): Promise<Preview> {
  const watch = newWatch(input, { accountId, hookId: '' }, deps.clock.now())
  const storefronts = coveredStorefronts(watch, await deps.hooks.watchedApps(accountId))
  const counts =
    watch.eventType === 'review.created'
      ? countOf(await reviewHits(deps, watch, storefronts))
      : await figureHits(deps, watch, storefronts)
  return { watch, ...counts }
}

/**
 * Reads named apps one by one, if they are few. Of more apps, and of all apps, it counts the reviews among the newest
 * of the account, and no drops, recoveries or spikes, which take long to read.
 */
export async function previewWatchSet(
  deps: PreviewDeps,
  accountId: string,
  input: WatchSetInput,
): Promise<SetPreview> {
  const set = newWatchSet(input, { accountId, hookId: '' }, deps.clock.now())
  const { id: setId, apps, ...filter } = set
  const watched = await deps.hooks.watchedApps(accountId)
  const watchOf = ({ store, appId }: AppKey): Watch => ({ ...filter, store, appId, id: '', setId })
  const covered = (watch: Watch) => coveredStorefronts(watch, watched)
  const few = apps !== null && apps.length <= APPS_READ_ONE_BY_ONE ? apps : null
  if (set.eventType !== 'review.created') {
    const watches = (few ?? []).map(watchOf)
    const counts = await Promise.all(watches.map((watch) => figureHits(deps, watch, covered(watch))))
    const total = (of: (count: Counts) => number) => counts.reduce((sum, count) => sum + of(count), 0)
    return { set, matched: total(({ matched }) => matched), examined: total(({ examined }) => examined) }
  }
  const storefronts = set.storefronts ?? undefined
  const newest = async (filter: ReviewFilter, limit: number) =>
    (await deps.reports.reviews(accountId, { ...filter, storefronts }, { limit, before: null })).reviews
  const isOf = ({ store, appId }: AppKey) =>
    apps === null || apps.some((app) => app.store === store && app.appId === appId)
  const reviews =
    few === null
      ? (await newest({}, apps === null ? REVIEWS_EXAMINED : REVIEWS_SEARCHED)).filter(isOf)
      : (await Promise.all(few.map(({ store, appId }) => newest({ store, appId }, REVIEWS_EXAMINED))))
          .flat()
          .sort((one, other) => other.occurredAt.getTime() - one.occurredAt.getTime())
  const hits = reviews.slice(0, REVIEWS_EXAMINED).map((review) => {
    const watch = watchOf(review)
    return matches(watch, covered(watch), review)
  })
  return { set, ...countOf(hits) }
}

type Counts = { readonly matched: number; readonly examined: number }

/** Counts of a watch that compares ratings or numbers of reviews. */
async function figureHits(
  deps: PreviewDeps,
  watch: Watch,
  storefronts: readonly Storefront[],
): Promise<Counts> {
  return watch.spike === null
    ? countOf(await ratingHits(deps, watch, storefronts))
    : spikeHits(deps, watch, storefronts)
}

function countOf(hits: readonly boolean[]): Counts {
  return { matched: hits.filter((hit) => hit).length, examined: hits.length }
}

/** The storefronts that a watch covers: its own ones, or all that the account watches for the app, and always `us`. */
export function coveredStorefronts(
  watch: Pick<Watch, 'store' | 'appId' | 'storefronts'>,
  watched: readonly WatchedApp[],
): readonly Storefront[] {
  if (watch.storefronts !== null) return watch.storefronts
  const storefronts = watched
    .filter(({ store, appId }) => store === watch.store && appId === watch.appId)
    .map(({ storefront }) => storefront)
  return storefronts.includes('us') ? storefronts : ['us', ...storefronts]
}

/** For each of the newest reviews, whether the watch matches it. */
async function reviewHits(
  { reports }: Pick<PreviewDeps, 'reports'>,
  watch: Watch,
  storefronts: readonly Storefront[],
): Promise<boolean[]> {
  const { accountId, store, appId } = watch
  const { reviews } = await reports.reviews(
    accountId,
    { store, appId, storefronts: watch.storefronts ?? undefined },
    { limit: REVIEWS_EXAMINED, before: null },
  )
  return reviews.map((review) => matches(watch, storefronts, review))
}

function matches(watch: Watch, storefronts: readonly Storefront[], review: ReviewRecord): boolean {
  // A watch matches only later reviews, so the preview assumes the earliest creation time.
  const candidate = {
    watch: { ...watch, createdAt: new Date(0) },
    storefronts,
    slideFiredAt: null,
    spikeFiredAt: null,
  }
  const occurrence = {
    ...review,
    occurrenceId: review.fingerprint,
    eventType: 'review.created',
    review,
  } as const
  return match(occurrence, candidate).match
}

/** The spikes among the negative reviews of the last 30 days, as if the stores had been polled every hour. */
async function spikeHits(
  { reports, clock }: Pick<PreviewDeps, 'reports' | 'clock'>,
  watch: Watch,
  storefronts: readonly Storefront[],
): Promise<{ matched: number; examined: number }> {
  const { store, spike: limits } = watch
  if (limits === null) return { matched: 0, examined: 0 }
  const now = clock.now()
  const period = { at: now, recentMs: SPIKES_EXAMINED_MS }
  const found = await reports.negativeReviews(watch.accountId, watch, period)
  const markets = storefronts.map((storefront) => marketOf(store, 'reviews', storefront))
  const rule = { ...limits, from: new Date(0), markets: [...new Set(markets)] }
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
    const spike: Spike | null = spikeOf(rule, { ...found, markets: polled, recent }, at, firedAt)
    if (spike === null) continue
    matched += 1
    firedAt = spike.end
  }
  return { matched, examined: reviews.length }
}

/** For each rating change of the last 90 days, whether the watch matches it. */
async function ratingHits(
  { reports, clock }: Pick<PreviewDeps, 'reports' | 'clock'>,
  watch: Watch,
  storefronts: readonly Storefront[],
): Promise<boolean[]> {
  const now = clock.now()
  const since = new Date(now.getTime() - RATINGS_EXAMINED_MS)
  const history = await reports.ratingHistory(watch.accountId, watch, since)
  return history
    .filter(({ storefront }) => storefronts.includes(storefront))
    .flatMap(({ points }) => changeHits(watch, points))
}

/** For each change of the ratings of one storefront, whether the watch matches it. */
function changeHits(watch: Watch, points: readonly RatingPoint[]): boolean[] {
  const observed = points.map(({ at, rating }) => ({ ...rating, observedAtMs: at.getTime() }))
  const rule = { ...watch, createdAt: new Date(0) }
  if (watch.eventType === 'rating.recovered') {
    return recoveriesOf(rule, observed).map((recovery) => recovery !== null)
  }
  return firedDrops(rule, observed).map((drop) => drop !== null)
}
