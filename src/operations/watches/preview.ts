import type { AppKey, Watch, WatchSet } from '../../model/hook.ts'
import { ratingHighs, slideFrom } from '../../model/rating-slide.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import { match, triggerOf } from '../../pipeline/fanout/match.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { HookStorage, WatchedApp } from '../../storage/port/hooks.ts'
import type { RatingPoint, ReportStorage, ReviewRecord } from '../../storage/port/reports.ts'
import { newWatch, type WatchInput } from './new-watch.ts'
import { newWatchSet, type WatchSetInput } from './new-watch-set.ts'

export type PreviewDeps = {
  readonly hooks: Pick<HookStorage, 'watchedApps'>
  readonly reports: Pick<ReportStorage, 'reviews' | 'ratingHistory'>
  readonly clock: Clock
}

/** How many of the newest reviews or rating changes a watch matches. */
export type Preview = { readonly watch: Watch; readonly matched: number; readonly examined: number }

export type SetPreview = { readonly set: WatchSet; readonly matched: number; readonly examined: number }

/** Enough to judge a rule, and fast to read. */
const REVIEWS_EXAMINED = 200
const RATINGS_EXAMINED_MS = 90 * 24 * 3_600_000

export async function previewWatch(
  deps: PreviewDeps,
  accountId: string,
  input: WatchInput,
): Promise<Preview> {
  const watch = newWatch(input, { accountId, hookId: '' }, deps.clock.now())
  const storefronts = coveredStorefronts(watch, await deps.hooks.watchedApps(accountId))
  const hits =
    watch.eventType === 'review.created'
      ? await reviewHits(deps, watch, storefronts)
      : await ratingHits(deps, watch, storefronts)
  return { watch, matched: hits.filter((hit) => hit).length, examined: hits.length }
}

/** Counts new reviews only: the rating changes of many apps take long to read. */
export async function previewWatchSet(
  deps: PreviewDeps,
  accountId: string,
  input: WatchSetInput,
): Promise<SetPreview> {
  const set = newWatchSet(input, { accountId, hookId: '' }, deps.clock.now())
  if (set.eventType !== 'review.created') return { set, matched: 0, examined: 0 }
  const { id: setId, apps, ...filter } = set
  const watched = await deps.hooks.watchedApps(accountId)
  const watchOf = (app: AppKey): Watch => ({ ...filter, ...app, id: '', setId })
  const { reviews } = await deps.reports.reviews(
    accountId,
    { storefronts: set.storefronts ?? undefined },
    { limit: REVIEWS_EXAMINED, before: null },
  )
  const isOf = (app: AppKey, { store, appId }: AppKey) => app.store === store && app.appId === appId
  const examined = reviews.filter((review) => apps === null || apps.some((app) => isOf(app, review)))
  const hits = examined.filter((review) => {
    const watch = watchOf({ store: review.store, appId: review.appId })
    return matches(watch, coveredStorefronts(watch, watched), review)
  })
  return { set, matched: hits.length, examined: examined.length }
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
  const candidate = { watch: { ...watch, createdAt: new Date(0) }, storefronts, slideFiredAt: null }
  const occurrence = {
    ...review,
    occurrenceId: review.fingerprint,
    eventType: 'review.created',
    review,
  } as const
  return match(occurrence, candidate).match
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
function changeHits(
  { deltaMicros, deltaWindowHours, thresholdMicros }: Watch,
  points: readonly RatingPoint[],
): boolean[] {
  const window =
    deltaMicros === null || deltaWindowHours === null
      ? null
      : { deltaMicros, windowHours: deltaWindowHours, from: new Date(0) }
  const rule = { deltaMicros: window === null ? deltaMicros : null, thresholdMicros }
  const history = points.map(({ at, rating }) => ({ observedAtMs: at.getTime(), micros: rating.micros }))
  let firedAt: Date | null = null
  return points.slice(1).map(({ at, rating: current }, index) => {
    const previous = points[index]?.rating ?? current
    if (current.micros >= previous.micros) return false
    const isHit = triggerOf(rule, previous, current) !== null
    if (window === null) return isHit
    const highs = ratingHighs(history.slice(0, index + 1), previous, at.getTime())
    if (slideFrom(window, { at, current, highs }, firedAt) === null) return isHit
    firedAt = at
    return true
  })
}
