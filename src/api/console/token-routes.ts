import { type CreatedToken, TokenBody, type TokenView } from '../../contract/console/people.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Token } from '../../storage/port/accounts.ts'
import { type Route, route } from '../route.ts'

export type TokenRouteDeps = { readonly operations: Pick<Operations, 'tokens'>; readonly clock: Clock }

/** Every member sees the names of API tokens; owners create and revoke them. */
export function tokenRoutes({ operations: { tokens }, clock }: TokenRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/tokens',
      run: async ({ caller }) =>
        (await tokens.list(caller.accountId)).map((token) => presentToken(token, clock.now())),
    }),

    route({
      method: 'POST',
      path: '/tokens',
      access: 'owner',
      body: TokenBody,
      async run({ caller, body }): Promise<CreatedToken> {
        const { token, value } = await tokens.create(caller.accountId, body)
        return { ...presentToken(token, clock.now()), value }
      },
    }),

    route({
      method: 'DELETE',
      path: '/tokens/:id',
      access: 'owner',
      run: ({ caller, param }) => tokens.revoke(caller.accountId, param('id')),
    }),
  ]
}

function presentToken(token: Token, now: Date): TokenView {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, lastUsedNetwork } = token
  return {
    id,
    name,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    isExpired: expiresAt !== null && expiresAt <= now,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedNetwork,
  }
}
