import { TokenBody, type TokenMade, type TokenView } from '../../contract/console/people.ts'
import { newId } from '../../model/ids.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AccountStorage, Token } from '../../storage/port/accounts.ts'
import { Refusal } from '../errors.ts'
import { newTokenValue, tokenHash } from '../token.ts'
import { type ConsoleRoute, consoleRoute } from './route.ts'

export type TokenDeps = {
  readonly accounts: Pick<AccountStorage, 'listTokens' | 'createToken' | 'revokeToken'>
  readonly clock: Clock
}

/** Chosen: more than anybody can tell apart by name. */
const TOKENS_MAX = 100

/** API tokens: every member sees their names, owners make and revoke them. */
export function tokenRoutes({ accounts, clock }: TokenDeps): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/tokens',
      run: async ({ caller }) => (await accounts.listTokens(caller.accountId)).map(presentToken),
    }),

    consoleRoute({
      method: 'POST',
      path: '/tokens',
      access: 'owner',
      body: TokenBody,
      async run({ caller: { accountId }, body }): Promise<TokenMade> {
        if ((await accounts.listTokens(accountId)).length >= TOKENS_MAX) {
          throw new Refusal('conflict', `An account has at most ${TOKENS_MAX} tokens; revoke one first.`)
        }
        const value = newTokenValue()
        const token = { id: newId('tok'), accountId, name: body.name, createdAt: clock.now() }
        await accounts.createToken(token, tokenHash(value))
        return { ...presentToken({ ...token, lastUsedAt: null }), value }
      },
    }),

    consoleRoute({
      method: 'DELETE',
      path: '/tokens/:id',
      access: 'owner',
      async run({ caller, param }) {
        if (!(await accounts.revokeToken(caller.accountId, param('id')))) {
          throw new Refusal('not_found', 'The account has no token with this id.')
        }
      },
    }),
  ]
}

function presentToken({ id, name, createdAt, lastUsedAt }: Token): TokenView {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}
