import type { WatchSetView, WatchView } from '../../contract/console/destinations.ts'
import { displayName, STORE_NAMES } from '../../contract/console/display-names.ts'
import { watchSentence } from '../../contract/console/watch-sentence.ts'
import { type AppKey, appKeyOf, type Watch, type WatchSet } from '../../model/hook.ts'
import type { WatchedApp } from '../../operations/apps/apps.ts'
import { coveredStorefronts } from '../../operations/watches/preview.ts'
import { nameOf } from '../v1/delivery-view.ts'
import { presentWatch as presentDetail } from '../v1/hooks.ts'
import { presentSet } from '../v1/watch-sets.ts'

export function presentWatch(watch: Watch, watched: readonly WatchedApp[]): WatchView {
  const { watch_set_id: _, ...shown } = presentDetail(watch)
  return {
    ...shown,
    app_name: nameOf(watch, watched),
    sentence: sentenceOf(watch, watched),
    created_at: watch.createdAt.toISOString(),
  }
}

export function presentWatchSet(set: WatchSet, watched: readonly WatchedApp[]): WatchSetView {
  return { ...presentSet(set), sentence: setSentenceOf(set, watched) }
}

/** The watch as a sentence. */
export function sentenceOf(watch: Watch, watched: readonly WatchedApp[]): string {
  const isConnected = watched.some((app) => appKeyOf(app) === appKeyOf(watch) && app.isConnected)
  const tracked =
    isConnected && watch.eventType === 'review.created' ? 'all' : coveredStorefronts(watch, watched)
  return watchSentence(watch, { apps: [distinctNameOf(watch, watched)], tracked })
}

/** Without the storefronts that differ from app to app. */
export function setSentenceOf(set: WatchSet, watched: readonly WatchedApp[]): string {
  const apps = set.apps?.map((app) => nameOf(app, watched) ?? app.appId)
  return watchSentence(set, { apps: apps?.sort() ?? 'all', tracked: [] })
}

/** With the store, if the account also has the listing of the other store with the same name. */
function distinctNameOf(app: AppKey, watched: readonly WatchedApp[]): string {
  const name = nameOf(app, watched)
  if (name === null) return app.appId
  const isInBoth = watched.some((other) => other.name === name && other.store !== app.store)
  return isInBoth ? `${name} (${displayName(STORE_NAMES, app.store)})` : name
}
