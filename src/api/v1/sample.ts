import type { Routes } from '../../contract/routes.ts'
import { sampleEvent } from '../../contract/sample.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export function sampleRoutes(table: Routes) {
  return {
    sample: apiRoute(table.sample, async ({ query }) => [sampleEvent(query.event_type ?? 'review.created')]),
  } as const satisfies Record<string, Route>
}
