import type { WatchBody, WatchSetBody, WatchSetView, WatchView } from '../../contract/console/destinations.ts'
import { displayName, STORE_NAMES } from '../../contract/console/display-names.ts'
import { watchSentence } from '../../contract/console/watch-sentence.ts'
import { starsOf } from '../../model/decimal.ts'
import type { AppKey, Watch, WatchFilter, WatchSet } from '../../model/hook.ts'
import type { FilterInput, WatchInput } from '../../operations/watches/new-watch.ts'
import type { WatchSetInput } from '../../operations/watches/new-watch-set.ts'
import { coveredStorefronts } from '../../operations/watches/preview.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'

export function watchInputOf(body: WatchBody): WatchInput {
  return { store: body.store, appId: body.appId, ...filterInputOf(body) }
}

export function watchSetInputOf(body: WatchSetBody): WatchSetInput {
  return { apps: body.apps === 'all' ? null : body.apps, ...filterInputOf(body) }
}

type FilterBody = Omit<WatchBody, 'store' | 'appId'>

function filterInputOf(body: FilterBody): FilterInput {
  const { eventType, minStars, maxStars, storefronts, delta, deltaWindowHours, threshold, rules } = body
  return {
    eventType,
    minStars,
    maxStars,
    storefronts: storefronts ?? null,
    delta: delta ?? null,
    // A cleared delta clears its window.
    deltaWindowHours: delta == null ? null : (deltaWindowHours ?? null),
    threshold: threshold ?? null,
    spikeMinReviews: body.spikeMinReviews ?? null,
    spikeFactor: body.spikeFactor ?? null,
    rules: rules ?? null,
  }
}

export function presentWatch(watch: Watch, watched: readonly WatchedApp[]): WatchView {
  return {
    id: watch.id,
    store: watch.store,
    appId: watch.appId,
    appName: nameOf(watch, watched),
    ...presentFilter(watch),
    sentence: sentenceOf(watch, watched),
  }
}

export function presentWatchSet(set: WatchSet, watched: readonly WatchedApp[]): WatchSetView {
  return {
    id: set.id,
    apps: set.apps ?? 'all',
    ...presentFilter(set),
    sentence: setSentenceOf(set, watched),
  }
}

function presentFilter(filter: WatchFilter & { readonly createdAt: Date }) {
  const { deltaMicros, thresholdMicros } = filter
  return {
    eventType: filter.eventType,
    storefronts: filter.storefronts,
    minStars: filter.minStars,
    maxStars: filter.maxStars,
    delta: deltaMicros === null ? null : starsOf(deltaMicros),
    deltaWindowHours: filter.deltaWindowHours,
    threshold: thresholdMicros === null ? null : starsOf(thresholdMicros),
    spikeMinReviews: filter.spike?.minReviews ?? null,
    spikeFactor: filter.spike?.factor ?? null,
    rules: filter.rules,
    createdAt: filter.createdAt.toISOString(),
  }
}

/** The watch as a sentence. */
export function sentenceOf(watch: Watch, watched: readonly WatchedApp[]): string {
  return watchSentence({
    ...presentFilter(watch),
    apps: [distinctNameOf(watch, watched)],
    tracked: coveredStorefronts(watch, watched),
  })
}

/** Without the storefronts that differ from app to app. */
export function setSentenceOf(set: WatchSet, watched: readonly WatchedApp[]): string {
  const apps = set.apps?.map((app) => nameOf(app, watched) ?? app.appId)
  return watchSentence({ ...presentFilter(set), apps: apps?.sort() ?? 'all', tracked: [] })
}

/** With the store, if the account also has the listing of the other store with the same name. */
function distinctNameOf(app: AppKey, watched: readonly WatchedApp[]): string {
  const name = nameOf(app, watched)
  if (name === null) return app.appId
  const isInBoth = watched.some((other) => other.name === name && other.store !== app.store)
  return isInBoth ? `${name} (${displayName(STORE_NAMES, app.store)})` : name
}

function nameOf(app: AppKey, watched: readonly WatchedApp[]): string | null {
  return watched.find(({ store, appId }) => store === app.store && appId === app.appId)?.name ?? null
}
