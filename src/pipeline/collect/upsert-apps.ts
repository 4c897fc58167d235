import { appKeyOf } from '../../model/hook.ts'
import { createBoundedCache } from '../../runtime/bounded-cache.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { StoreApp } from '../appstores/appstore.ts'

/** Apps whose stored data this process caches: about 3 MB. */
const CACHED_MAX = 10_000

/** Stores app data from answers (name, developer, icon, release), unless this process has stored the same values before. */
export function createUpsertApps(storage: Pick<Storage, 'feeds'>, clock: Clock) {
  const written = createBoundedCache<string, string>(CACHED_MAX)
  return async (apps: readonly StoreApp[]): Promise<void> => {
    const changed = apps.filter((app) => written.get(appKeyOf(app)) !== textOf(app))
    if (changed.length === 0) return
    await storage.feeds.saveApps(
      changed.map(({ store, appId, name, developer, iconUrl, release }) => ({
        store,
        appId,
        name,
        developer,
        iconUrl,
        release: release ?? null,
      })),
      clock.now(),
    )
    for (const app of changed) written.set(appKeyOf(app), textOf(app))
  }
}

function textOf(app: StoreApp): string {
  return JSON.stringify([app.name, app.developer, app.iconUrl, app.release])
}
