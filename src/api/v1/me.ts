import type { Routes } from '../../contract/routes.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type MeRouteDeps = { readonly operations: Pick<Operations, 'accounts'> }

export function meRoutes(table: Routes, { operations: { accounts } }: MeRouteDeps): Record<'me', Route> {
  return {
    me: apiRoute(table.me, async ({ caller }) => {
      const account = await accounts.get(caller.accountId)
      return {
        account_id: account.id,
        account_name: account.name,
        token_id: caller.id,
        token_name: caller.name,
      }
    }),
  }
}
