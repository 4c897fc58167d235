import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FirstLoad } from '../../contract/console/first-load.ts'
import type { Overview } from '../../contract/console/overview.ts'
import { SetupBody, SignUpBody } from '../../contract/console/people.ts'
import type { CreatedAccount, NewOwner } from '../../operations/accounts/accounts.ts'
import type { AccountGuard } from '../../operations/limits.ts'
import type { Operations } from '../../operations/operations.ts'
import { addressOf } from '../client-address.ts'
import { userActor } from '../record-call.ts'
import { type Route, route } from '../route.ts'
import { signedInAs } from '../session.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { type OverviewDeps, overviewOf } from './overview-routes.ts'
import type { SignInAuditDeps } from './sign-in-audit.ts'
import { stateOf } from './topics.ts'

export type SessionDeps = SignInAuditDeps &
  OverviewDeps & {
    readonly limits: Pick<AccountGuard, 'apiRequest'>
    readonly operations: Pick<Operations, 'accounts' | 'audit' | 'overview' | 'people' | 'reviews'>
    readonly version: string
    readonly publicUrl: () => string
    readonly signup: 'closed' | 'open'
    readonly identityProvider: Pick<IdentityProvider, 'name'> | null
  }

export function sessionRoutes(deps: SessionDeps): Route[] {
  const { accounts, overview } = deps.operations

  const overviewFor = async (accountId: string): Promise<Overview> => {
    deps.limits.apiRequest(accountId)
    return overviewOf(deps, accountId, '24h')
  }

  const recordAccount = ({ accountId, owner }: CreatedAccount, request: FastifyRequest) =>
    deps.operations.audit.record({
      accountId,
      actor: userActor(owner),
      clientAddress: addressOf(request),
      action: 'account.created',
      target: accountId,
      detail: null,
    })

  return [
    route({
      method: 'GET',
      path: '/session',
      access: 'anyone',
      query: z.object({ with: z.literal('overview', 'with: overview').optional() }),
      async run({ query, request, reply }): Promise<FirstLoad> {
        const about = {
          version: deps.version,
          baseUrl: deps.publicUrl(),
          signupOpen: deps.signup === 'open',
          identityProvider: deps.identityProvider?.name ?? null,
          translates: deps.operations.reviews.translates,
        }
        const session = await signedInAs(request.headers.cookie, deps, reply)
        if (session !== null) {
          const { user, accountId, role, operator } = session.member
          const { id, name } = await deps.operations.accounts.get(accountId)
          // Before the overview, so that the stream also reports changes that the overview lacks.
          const state = stateOf(await overview.marks(accountId))
          const wantsOverview = query.with === 'overview' && !session.lacksSecondFactor
          return {
            ...about,
            setupNeeded: false,
            user,
            account: { id, name },
            role,
            operator,
            secondFactorNeeded: session.lacksSecondFactor,
            state,
            // Without it the page sends a request for it, which shows and logs the failure.
            ...(wantsOverview ? { overview: await overviewFor(accountId).catch(() => null) } : {}),
          }
        }
        const setupNeeded = !(await accounts.exist())
        return {
          ...about,
          setupNeeded,
          user: null,
          account: null,
          role: null,
          operator: false,
          secondFactorNeeded: false,
          state: null,
        }
      },
    }),

    route({
      method: 'POST',
      path: '/setup',
      access: 'anyone',
      body: SetupBody,
      async run({ body, request, reply }) {
        const created = await deps.operations.accounts.setUp(ownerOf(body), body.code, addressOf(request))
        await recordAccount(created, request)
        reply.header('set-cookie', await (await deps.signIn()).open(body))
      },
    }),

    route({
      method: 'POST',
      path: '/signup',
      access: 'anyone',
      body: SignUpBody,
      async run({ body, request, reply }) {
        await recordAccount(await deps.operations.accounts.signUp(ownerOf(body), addressOf(request)), request)
        reply.header('set-cookie', await (await deps.signIn()).open(body))
      },
    }),
  ]
}

function ownerOf({ account_name: accountName, ...user }: SignUpBody): NewOwner {
  return { ...user, accountName }
}
