import type { Routes } from '../../contract/routes.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type AppRouteDeps = { readonly operations: Pick<Operations, 'apps'> }

export function appRoutes(table: Routes, { operations: { apps } }: AppRouteDeps): Record<'list_apps', Route> {
  return {
    list_apps: apiRoute(table.list_apps, async ({ caller: { accountId } }) => {
      const storefronts = await apps.storefronts(accountId)
      return storefronts.map(({ store, appId, storefront, name }) => ({
        id: `${store}:${appId}:${storefront}`,
        name: name ?? appId,
        store,
        app_id: appId,
        country: storefront,
      }))
    }),
  }
}
