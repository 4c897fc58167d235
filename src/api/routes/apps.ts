import type { HookStorage } from '../../storage/port/hooks.ts'
import type { Operations } from '../operation.ts'

export function appOperations(deps: {
  readonly hooks: Pick<HookStorage, 'watchedApps'>
}): Pick<Operations, 'list_apps'> {
  return {
    async list_apps({ accountId }) {
      const apps = await deps.hooks.watchedApps(accountId)
      return apps.map(({ store, appId, storefront, name }) => ({
        id: `${store}:${appId}:${storefront}`,
        name: name ?? appId,
        store,
        app_id: appId,
        country: storefront,
      }))
    },
  }
}
