import { z } from 'zod'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { appOf } from '../v1/apps.ts'
import { presentAppPage } from './app-page.ts'
import { ZoneParam } from './zone-param.ts'

export type AppRouteDeps = { readonly operations: Pick<Operations, 'apps' | 'triage'> }

const DAYS = ['7', '30', '90', '365'] as const
const PageQuery = z.object({
  days: z.enum(DAYS, { error: `days: one of ${DAYS.join(', ')}` }).default('30'),
  zone: ZoneParam,
})

export function appRoutes({ operations: { apps, triage } }: AppRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:store/:app_id',
      query: PageQuery,
      run: async ({ caller, param, query }) => {
        const view = await apps.get(caller.accountId, appOf(param), Number(query.days), query.zone)
        return presentAppPage(view, await triage.assigneesOf(view.newestLow.map((review) => review.triage)))
      },
    }),
  ]
}
