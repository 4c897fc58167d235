import { type AppKey, appKeyOf, uniqueApps, type Watch, type WatchSet } from '../../model/hook.ts'
import { SET_APPS_MAX } from '../../model/hook-limits.ts'
import { privateMarketOf } from '../../model/market.ts'
import { isOfficial } from '../../model/review-source.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import { match } from '../../pipeline/fanout/match.ts'
import type { HookStorage, WatchedApp } from '../../storage/port/hooks.ts'
import type { ReportStorage, ReviewFilter, ReviewRecord } from '../../storage/port/reports.ts'
import { newWatch, type WatchInput } from './new-watch.ts'
import { newWatchSet, type WatchSetInput } from './new-watch-set.ts'
import { type FigureDeps, figureHits } from './preview-figures.ts'

export type PreviewDeps = FigureDeps & {
  readonly hooks: Pick<HookStorage, 'watchedApps'>
  readonly reports: Pick<ReportStorage, 'reviews'>
}

/** How many of the newest reviews or rating changes a watch matches. */
export type Preview = {
  readonly watch: Watch
  readonly matched: number
  readonly examined: number
  readonly hits: Hits
}

/** A matched review, with the country that its event has. */
export type Hit = ReviewRecord & { readonly country: string }

/** The newest of the matched reviews, at most `HITS_SHOWN`; none for rating changes and spikes. */
export type Hits = readonly Hit[]

export type SetPreview = {
  readonly set: WatchSet
  readonly matched: number
  readonly examined: number
  readonly apps: AppsCounted
  readonly hits: Hits
}

/** Of how many of the apps a preview counts. */
export type AppsCounted = { readonly counted: number; readonly total: number }

/** Enough to judge a rule, and fast to read. */
const REVIEWS_EXAMINED = 200
const HITS_SHOWN = 5
/** Reviews of the account among which those of many named apps are searched. */
const REVIEWS_SEARCHED = 2_000
const APPS_READ_ONE_BY_ONE = 20
/** Apps of a set whose drops, recoveries and spikes are counted: as many as a set can name. */
const APPS_COUNTED_MAX = SET_APPS_MAX

export async function previewWatch(
  deps: PreviewDeps,
  accountId: string,
  input: WatchInput,
): Promise<Preview> {
  const watch = newWatch(input, { accountId, hookId: '' }, deps.clock.now())
  const storefronts = coveredStorefronts(watch, await deps.hooks.watchedApps(accountId))
  const counts =
    watch.eventType === 'review.created'
      ? await reviewHits(deps, watch, storefronts)
      : { ...(await figureHits(deps, watch, [{ app: watch, storefronts }])), hits: [] }
  return { watch, ...counts }
}

/**
 * Reads the newest reviews of named apps one by one, if they are few. Of more apps, and of all apps, it counts the reviews
 * among the newest of the account. Drops, recoveries and spikes are counted of up to `APPS_COUNTED_MAX` apps.
 */
export async function previewWatchSet(
  deps: PreviewDeps,
  accountId: string,
  input: WatchSetInput,
): Promise<SetPreview> {
  const set = newWatchSet(input, { accountId, hookId: '' }, deps.clock.now())
  const { id: setId, apps, ...filter } = set
  const watched = await deps.hooks.watchedApps(accountId)
  const ofSet = apps ?? uniqueApps(watched)
  const byApp = Map.groupBy(watched, appKeyOf)
  const watchOf = ({ store, appId }: AppKey): Watch => ({ ...filter, store, appId, id: '', setId })
  const covered = (watch: Watch) => coveredStorefronts(watch, byApp.get(appKeyOf(watch)) ?? [])
  if (set.eventType === 'review.created') {
    const counts = hitsAmong(await newestOfSet(deps, accountId, set), (review) => {
      const watch = watchOf(review)
      return countryOf(watch, covered(watch), review)
    })
    return { set, ...counts, apps: { counted: ofSet.length, total: ofSet.length } }
  }
  const counted = ofSet.slice(0, APPS_COUNTED_MAX)
  const scopes = counted.map((app) => ({ app, storefronts: covered(watchOf(app)) }))
  const counts = await figureHits(deps, set, scopes)
  return { set, ...counts, hits: [], apps: { counted: counted.length, total: ofSet.length } }
}

/** The newest reviews of the apps of the set, newest first. */
async function newestOfSet(
  { reports }: Pick<PreviewDeps, 'reports'>,
  accountId: string,
  { apps, storefronts }: WatchSet,
): Promise<ReviewRecord[]> {
  const newest = async (filter: ReviewFilter, limit: number) => {
    const scope = { ...filter, storefronts: storefronts ?? undefined }
    return (await reports.reviews(accountId, scope, { limit, before: null })).reviews
  }
  if (apps === null) return [...(await newest({}, REVIEWS_EXAMINED))]
  if (apps.length > APPS_READ_ONE_BY_ONE) {
    const keys = new Set(apps.map(appKeyOf))
    const searched = await newest({}, REVIEWS_SEARCHED)
    return searched.filter((review) => keys.has(appKeyOf(review))).slice(0, REVIEWS_EXAMINED)
  }
  const found = await Promise.all(apps.map(({ store, appId }) => newest({ store, appId }, REVIEWS_EXAMINED)))
  return found
    .flat()
    .sort((one, other) => other.occurredAt.getTime() - one.occurredAt.getTime())
    .slice(0, REVIEWS_EXAMINED)
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

/** The newest reviews that the watch matches. */
export async function reviewHits(
  { reports }: { readonly reports: Pick<ReportStorage, 'reviews'> },
  watch: Watch,
  storefronts: readonly Storefront[],
): Promise<Omit<Preview, 'watch'>> {
  const { accountId, store, appId } = watch
  const { reviews } = await reports.reviews(
    accountId,
    { store, appId, storefronts: watch.storefronts ?? undefined },
    { limit: REVIEWS_EXAMINED, before: null },
  )
  return hitsAmong(reviews, (review) => countryOf(watch, storefronts, review))
}

function hitsAmong(
  reviews: readonly ReviewRecord[],
  matchedCountryOf: (review: ReviewRecord) => string | null,
): Omit<Preview, 'watch'> {
  const hits = reviews.flatMap((review) => {
    const country = matchedCountryOf(review)
    return country === null ? [] : { ...review, country }
  })
  return { matched: hits.length, examined: reviews.length, hits: hits.slice(0, HITS_SHOWN) }
}

/** The country of a review that the watch matches; null for another one. */
function countryOf(watch: Watch, storefronts: readonly Storefront[], review: ReviewRecord): string | null {
  // A watch matches only later reviews, so the preview assumes the earliest creation time.
  const candidate = {
    watch: { ...watch, createdAt: new Date(0) },
    storefronts,
    slideFiredAt: null,
    lateReviewsHours: 0,
    spikeFiredAt: null,
  }
  const occurrence = {
    ...review,
    // As the account's own source found it: from there a watch covers every territory.
    market: isOfficial(review.source) ? privateMarketOf(review.market, watch.accountId) : review.market,
    occurrenceId: review.fingerprint,
    eventType: 'review.created',
    review,
    unseenAt: null,
  } as const
  const matched = match(occurrence, candidate)
  return matched.match ? matched.country : null
}
