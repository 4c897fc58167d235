import type { WatchBody, WatchView } from '../../contract/console/destinations.ts'
import { watchSentence } from '../../contract/console/watch-sentence.ts'
import { starsOf } from '../../model/decimal.ts'
import type { Watch } from '../../model/hook.ts'
import type { WatchInput } from '../../operations/watches/new-watch.ts'
import { coveredStorefronts } from '../../operations/watches/preview.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'

export function watchInputOf({ storefront, delta, threshold, rules, ...body }: WatchBody): WatchInput {
  return {
    ...body,
    storefront: storefront ?? null,
    delta: delta ?? null,
    threshold: threshold ?? null,
    rules: rulesOf(rules),
  }
}

function rulesOf(rules: WatchBody['rules']): WatchInput['rules'] {
  const set = Object.entries(rules ?? {}).filter(([, value]) => value !== undefined)
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

/** The watch as a sentence. */
export function sentenceOf(watch: Watch, watched: readonly WatchedApp[]): string {
  const { deltaMicros, thresholdMicros } = watch
  return watchSentence({
    ...watch,
    appName: nameOf(watch, watched) ?? watch.appId,
    storefronts: coveredStorefronts(watch, watched),
    delta: deltaMicros === null ? null : starsOf(deltaMicros),
    threshold: thresholdMicros === null ? null : starsOf(thresholdMicros),
  })
}

function nameOf(app: Pick<Watch, 'store' | 'appId'>, watched: readonly WatchedApp[]): string | null {
  return watched.find(({ store, appId }) => store === app.store && appId === app.appId)?.name ?? null
}
