import type { Clock } from '../../runtime/clock.ts'
import type { Storage } from '../../storage/port.ts'
import type { StoreApp } from '../appstores/appstore.ts'

/** Apps remembered so that what did not change is not written each hour; beyond it the memory starts anew. */
const REMEMBERED_MAX = 10_000

/** Keeps what stores tell of apps (name, developer, icon), writing only what this process did not write before. */
export function createNoteApps(storage: Pick<Storage, 'feeds'>, clock: Clock) {
  const written = new Map<string, string>()
  return async (apps: readonly StoreApp[]): Promise<void> => {
    const changed = apps.filter((app) => written.get(keyOf(app)) !== textOf(app))
    if (changed.length === 0) return
    await storage.feeds.saveApps(
      changed.map(({ store, appId, name, developer, iconUrl }) => ({
        store,
        appId,
        name,
        developer,
        iconUrl,
      })),
      clock.now(),
    )
    if (written.size + changed.length > REMEMBERED_MAX) written.clear()
    for (const app of changed) written.set(keyOf(app), textOf(app))
  }
}

function keyOf(app: StoreApp): string {
  return `${app.store} ${app.appId}`
}

function textOf(app: StoreApp): string {
  return JSON.stringify([app.name, app.developer, app.iconUrl])
}
