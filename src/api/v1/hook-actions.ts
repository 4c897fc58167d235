import type { Routes } from '../../contract/routes.ts'
import type { Operations } from '../../operations/operations.ts'
import { changerOf, type Route } from '../route.ts'
import { presentReplay } from './dead-letters.ts'
import { presentHookDetail } from './hooks.ts'
import { apiRoute } from './route.ts'

export type HookActionRouteDeps = { readonly operations: Pick<Operations, 'hooks' | 'recovery'> }

export function hookActionRoutes(table: Routes, { operations: { hooks, recovery } }: HookActionRouteDeps) {
  return {
    set_hook_status: apiRoute(table.set_hook_status, async ({ caller: { accountId }, param, body }) => {
      const change = body.status === 'paused' ? hooks.pause : hooks.resume
      await change(accountId, param('id'))
      return presentHookDetail(await hooks.get(accountId, param('id')), hooks)
    }),

    set_hook_statuses: apiRoute(table.set_hook_statuses, ({ caller, body }) =>
      hooks.setStatuses(caller.accountId, body.hook_ids, body.status),
    ),

    rotate_secret: apiRoute(table.rotate_secret, async ({ caller, param, body }) => {
      const by = changerOf(caller)
      return { secret: await hooks.rotateSecret(caller.accountId, param('id'), body.overlap_hours, by) }
    }),

    revoke_old_secrets: apiRoute(table.revoke_old_secrets, async ({ caller, param }) => {
      await hooks.revokeOldSecrets(caller.accountId, param('id'), changerOf(caller))
      return undefined
    }),

    retry_hook: apiRoute(table.retry_hook, async ({ caller, param }) => ({
      retried: await recovery.retryPending(caller.accountId, param('id')),
    })),

    retry_hooks: apiRoute(table.retry_hooks, ({ caller, body }) =>
      recovery.retryHooks(caller.accountId, body.hook_ids),
    ),

    preview_recovery: apiRoute(table.preview_recovery, ({ caller, param, query }) =>
      recovery.recoverable(caller.accountId, param('id'), query.since),
    ),

    recover_hook: apiRoute(table.recover_hook, async ({ caller, param, body }) => {
      const { since, delivered, rate_per_second: ratePerSecond } = body
      const input = { since, delivered, ratePerSecond }
      const { retried, replay } = await recovery.recover(caller.accountId, param('id'), input)
      return { retried, replay: replay && presentReplay(replay) }
    }),
  } as const satisfies Record<string, Route>
}
