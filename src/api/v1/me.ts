import type { TokenView } from '../../contract/account.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Token } from '../../operations/tokens.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type MeRouteDeps = { readonly operations: Pick<Operations, 'accounts' | 'tokens'> }

export function meRoutes(table: Routes, { operations: { accounts, tokens } }: MeRouteDeps) {
  return {
    list_tokens: apiRoute(table.list_tokens, async ({ caller }) =>
      (await tokens.list(caller.accountId)).map(presentToken),
    ),

    me: apiRoute(table.me, async ({ caller }) => {
      const account = await accounts.get(caller.accountId)
      return {
        account_id: account.id,
        account_name: account.name,
        token_id: caller.id,
        token_name: caller.name,
        token_scopes: [...caller.scopes],
        token_expires_at: caller.expiresAt?.toISOString() ?? null,
      }
    }),
  } as const satisfies Record<string, Route>
}

export function presentToken(token: Token): TokenView {
  return {
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    last_used_network: token.lastUsedNetwork,
  }
}
