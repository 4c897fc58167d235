import type { Operation, Routes } from '../../contract/routes.ts'
import type { Route } from '../route.ts'
import { type AppRouteDeps, appRoutes } from './apps.ts'
import { type HookRouteDeps, hookRoutes } from './hooks.ts'
import { type MeRouteDeps, meRoutes } from './me.ts'
import { sampleRoutes } from './sample.ts'

export type ApiRouteDeps = HookRouteDeps & AppRouteDeps & MeRouteDeps

/** The REST API: a route for each operation of the contract. */
export function apiRoutes(table: Routes, deps: ApiRouteDeps): Record<Operation, Route> {
  return {
    ...hookRoutes(table, deps),
    ...appRoutes(table, deps),
    ...sampleRoutes(table),
    ...meRoutes(table, deps),
  }
}
