import type { WatchBody, WatchPreview, WatchView } from '../../contract/console/destinations.ts'
import { watchSentence } from '../../contract/console/watch-sentence.ts'
import { limitMicros, starsOf } from '../../model/decimal.ts'
import type { Watch } from '../../model/hook.ts'
import { newId } from '../../model/ids.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import { match, triggerOf } from '../../pipeline/fanout/match.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'
import type { InsightsStorage } from '../../storage/port/insights.ts'
import { Refusal } from '../errors.ts'

type Owner = { readonly accountId: string; readonly hookId: string }

/** The watch of a form. A changed one keeps its `id` and looks forward from `now` on, like a new one. */
export function watchFrom(
  body: WatchBody,
  { accountId, hookId }: Owner,
  now: Date,
  id = newId('wat'),
): Watch {
  // A copied id often brings a space along, and no store has ids with spaces around them.
  const appId = body.appId.trim()
  if (appId === '') throw new Refusal('invalid', 'appId: is required')
  return {
    id,
    hookId,
    accountId,
    store: body.store,
    appId,
    eventType: body.eventType,
    storefront: body.storefront ?? null,
    minStars: body.minStars,
    maxStars: body.maxStars,
    deltaMicros: body.delta == null ? null : limitMicros(body.delta),
    thresholdMicros: body.threshold == null ? null : limitMicros(body.threshold),
    rules: rulesOf(body),
    createdAt: now,
  }
}

function rulesOf({ rules }: WatchBody): Watch['rules'] {
  if (rules == null) return null
  const set = Object.entries(rules).filter(([, value]) => value !== undefined)
  return set.length === 0 ? null : Object.fromEntries(set)
}

export function presentWatch(watch: Watch, watched: readonly WatchedApp[]): WatchView {
  const { deltaMicros, thresholdMicros } = watch
  return {
    id: watch.id,
    store: watch.store,
    appId: watch.appId,
    appName: nameOf(watch, watched),
    eventType: watch.eventType,
    storefront: watch.storefront,
    minStars: watch.minStars,
    maxStars: watch.maxStars,
    delta: deltaMicros === null ? null : starsOf(deltaMicros),
    threshold: thresholdMicros === null ? null : starsOf(thresholdMicros),
    rules: watch.rules as WatchView['rules'],
    createdAt: watch.createdAt.toISOString(),
    sentence: sentenceOf(watch, watched),
  }
}

/** How far a preview looks back. Chosen: enough to judge a rule by, quick to read. */
const REVIEWS_LOOKED_AT = 200
const RATINGS_LOOKED_AT_MS = 90 * 24 * 3_600_000

/** What a watch would have sent of the newest reviews, or of the changes of the rating in the last 90 days. */
export async function previewWatch(
  watch: Watch,
  watched: readonly WatchedApp[],
  insights: Pick<InsightsStorage, 'reviews' | 'app'>,
  now: Date,
): Promise<WatchPreview> {
  const sentence = sentenceOf(watch, watched)
  const storefronts = placesOf(watch, watched)
  const { accountId, store, appId, storefront } = watch
  if (watch.eventType === 'review.created') {
    const { reviews } = await insights.reviews(
      accountId,
      { store, appId, storefront: storefront ?? undefined },
      { limit: REVIEWS_LOOKED_AT, before: null },
    )
    // As if it had always been there.
    const always = { watch: { ...watch, createdAt: new Date(0) }, storefronts }
    const matched = reviews.filter(
      (review) =>
        match({ ...review, occurrenceId: review.fingerprint, eventType: 'review.created', review }, always)
          .match,
    )
    return { sentence, matched: matched.length, looked: reviews.length }
  }
  const detail = await insights.app(
    accountId,
    { store, appId },
    new Date(now.getTime() - RATINGS_LOOKED_AT_MS),
    now,
  )
  const changes = (detail?.history ?? [])
    .filter((history) => storefronts.includes(history.storefront))
    .flatMap(({ points }) => points.slice(1).map((point, index) => [points[index], point] as const))
  const fired = changes.filter(
    ([before, after]) => before !== undefined && triggerOf(watch, before.rating, after.rating) !== null,
  )
  return { sentence, matched: fired.length, looked: changes.length }
}

function sentenceOf(watch: Watch, watched: readonly WatchedApp[]): string {
  const { deltaMicros, thresholdMicros } = watch
  return watchSentence({
    ...watch,
    appName: nameOf(watch, watched) ?? watch.appId,
    storefronts: placesOf(watch, watched),
    delta: deltaMicros === null ? null : starsOf(deltaMicros),
    threshold: thresholdMicros === null ? null : starsOf(thresholdMicros),
  })
}

function nameOf(app: Pick<Watch, 'store' | 'appId'>, watched: readonly WatchedApp[]): string | null {
  return watched.find(({ store, appId }) => store === app.store && appId === app.appId)?.name ?? null
}

/** The storefronts a watch covers: its own, or all that the account watches for the app, `us` at least (DESIGN 5.1). */
function placesOf(watch: Watch, watched: readonly WatchedApp[]): Storefront[] {
  if (watch.storefront !== null) return [watch.storefront]
  const places = watched
    .filter(({ store, appId }) => store === watch.store && appId === watch.appId)
    .map(({ storefront }) => storefront)
  return places.includes('us') ? places : ['us', ...places]
}
