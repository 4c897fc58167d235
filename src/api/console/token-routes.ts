import { type CreatedToken, TokenBody } from '../../contract/console/people.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'
import { presentToken } from '../v1/me.ts'

export type TokenRouteDeps = { readonly operations: Pick<Operations, 'tokens'> }

/** API tokens are created and revoked by owners with a session: no token can create another. */
export function tokenRoutes({ operations: { tokens } }: TokenRouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/tokens',
      access: 'owner',
      body: TokenBody,
      async run({ caller, body: { expires_in_days, ...input } }): Promise<CreatedToken> {
        const created = await tokens.create(caller.accountId, { ...input, expiresInDays: expires_in_days })
        const { token, value } = created
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
