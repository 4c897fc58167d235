import {
  type BulkResult,
  type Changed,
  RecoverableQuery,
  type RecoverableView,
  RecoveryBody,
  type RecoveryStarted,
} from '../../contract/console/deliveries.ts'
import { DestinationsBulkBody } from '../../contract/console/destinations.ts'
import { eventIdsBody } from '../../contract/v1/dead-letters.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { presentReplay } from '../v1/dead-letters.ts'

export type RecoveryRouteDeps = { readonly operations: Pick<Operations, 'hooks' | 'recovery'> }

/** Retries after a receiver has recovered. */
export function recoveryRoutes({ operations: { hooks, recovery } }: RecoveryRouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/deliveries/retry',
      body: eventIdsBody,
      run: ({ caller, body }): Promise<BulkResult> => recovery.retryEach(caller.accountId, body.event_ids),
    }),

    route({
      method: 'POST',
      path: '/destinations/bulk',
      body: DestinationsBulkBody,
      run: ({ caller: { accountId }, body: { ids, action } }): Promise<BulkResult> =>
        action === 'retry'
          ? recovery.retryHooks(accountId, ids)
          : hooks.setStatuses(accountId, ids, action === 'pause' ? 'paused' : 'active'),
    }),

    route({
      method: 'POST',
      path: '/destinations/:id/retry',
      async run({ caller, param }): Promise<Changed> {
        return { changed: await recovery.retryPending(caller.accountId, param('id')) }
      },
    }),

    route({
      method: 'GET',
      path: '/destinations/:id/recovery',
      query: RecoverableQuery,
      run: ({ caller, param, query }): Promise<RecoverableView> =>
        recovery.recoverable(caller.accountId, param('id'), new Date(query.since)),
    }),

    route({
      method: 'POST',
      path: '/destinations/:id/recovery',
      body: RecoveryBody,
      async run({
        caller,
        param,
        body: { since, delivered, rate_per_second: ratePerSecond },
      }): Promise<RecoveryStarted> {
        const input = { since: new Date(since), delivered, ratePerSecond }
        const { retried, replay } = await recovery.recover(caller.accountId, param('id'), input)
        return { retried, replay: replay === null ? null : presentReplay(replay) }
      },
    }),
  ]
}
