import type { DeadCount } from '../../contract/console/deliveries.ts'
import { deadLetterFilter } from '../../contract/v1/deliveries.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { deadFilterOf } from '../v1/deliveries.ts'

export type DeadRouteDeps = { readonly operations: Pick<Operations, 'deadLetters'> }

export function deadRoutes({ operations: { deadLetters } }: DeadRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/dead/count',
      query: deadLetterFilter,
      run: ({ caller, query }): Promise<DeadCount> =>
        deadLetters.count(caller.accountId, deadFilterOf(query)),
    }),
  ]
}
