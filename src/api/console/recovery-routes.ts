import {
  type BulkResult,
  type Changed,
  EventIdsBody,
  RecoverableQuery,
  type RecoverableView,
  RecoveryBody,
  type RecoveryStarted,
} from '../../contract/console/deliveries.ts'
import { DestinationsBulkBody } from '../../contract/console/destinations.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { presentReplay } from './replay-view.ts'

export type RecoveryRouteDeps = { readonly operations: Pick<Operations, 'hooks' | 'recovery'> }

/** Retries after a receiver has recovered. */
export function recoveryRoutes({ operations: { hooks, recovery } }: RecoveryRouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/deliveries/:eventId/retry',
      async run({ caller, param }): Promise<Changed> {
        await recovery.retryNow(caller.accountId, param('eventId'))
        return { changed: 1 }
      },
    }),

    route({
      method: 'POST',
      path: '/deliveries/retry',
      body: EventIdsBody,
      run: ({ caller, body }): Promise<BulkResult> => recovery.retryEach(caller.accountId, body.eventIds),
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
      async run({ caller, param, body: { since, delivered, ratePerSecond } }): Promise<RecoveryStarted> {
        const input = { since: new Date(since), delivered, ratePerSecond }
        const { retried, replay } = await recovery.recover(caller.accountId, param('id'), input)
        return { retried, replay: replay === null ? null : presentReplay(replay) }
      },
    }),
  ]
}
