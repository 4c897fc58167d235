import { TokenBody, type TokenMade, type TokenView } from '../../contract/console/people.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Token } from '../../storage/port/accounts.ts'
import { type Route, route } from '../route.ts'

export type TokenRouteDeps = { readonly operations: Pick<Operations, 'tokens'> }

/** Every member sees the names of API tokens; owners create and revoke them. */
export function tokenRoutes({ operations: { tokens } }: TokenRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/tokens',
      run: async ({ caller }) => (await tokens.list(caller.accountId)).map(presentToken),
    }),

    route({
      method: 'POST',
      path: '/tokens',
      access: 'owner',
      body: TokenBody,
      async run({ caller, body }): Promise<TokenMade> {
        const { token, value } = await tokens.create(caller.accountId, body.name)
        return { ...presentToken(token), value }
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

function presentToken({ id, name, createdAt, lastUsedAt }: Token): TokenView {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}
