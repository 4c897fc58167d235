import { type AppKey, appKeyOf, type Watch, type WatchFilter, type WatchSet } from './hook.ts'
import { newId } from './ids.ts'
import type { Storefront } from './vocabulary.ts'

/** The watch of a set for one of its apps, which matches occurrences from `createdAt` on. */
export function watchOfSet(set: WatchSet, { store, appId }: AppKey, createdAt: Date): Watch {
  const { id: setId, apps: _, ...rule } = set
  return { ...rule, id: newId('wat'), setId, store, appId, createdAt }
}

/** The watches of a set for those of its `apps` that have none in `kept`. */
export function watchesOfSet(set: WatchSet, apps: readonly AppKey[], kept: readonly Watch[] = []): Watch[] {
  const known = new Set(kept.map(appKeyOf))
  return apps.filter((app) => !known.has(appKeyOf(app))).map((app) => watchOfSet(set, app, set.createdAt))
}

/** The existing watches that remain when only the apps of a set change. */
export function keptWatches(watches: readonly Watch[], { apps }: Pick<WatchSet, 'apps'>): readonly Watch[] {
  if (apps === null) return watches
  const wanted = new Set(apps.map(appKeyOf))
  return watches.filter((watch) => wanted.has(appKeyOf(watch)))
}

/**
 * The storefronts to track for an app that only the changed rule watched, so that a set of all apps keeps it.
 * Without storefronts of its own, the watch covered `us`.
 */
export function storefrontsToTrack({ storefronts }: WatchFilter): readonly Storefront[] {
  return storefronts ?? ['us']
}
