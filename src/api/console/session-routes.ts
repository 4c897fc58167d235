import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FirstLoad } from '../../contract/console/first-load.ts'
import type { Overview } from '../../contract/console/overview.ts'
import { SetupBody, SignUpBody } from '../../contract/console/people.ts'
import type { CreatedAccount } from '../../operations/accounts/accounts.ts'
import type { AccountGuard } from '../../operations/limits.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import type { ReportStorage } from '../../storage/port/reports.ts'
import { addressOf } from '../client-address.ts'
import { userActor } from '../record-call.ts'
import { type Route, route } from '../route.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { type OverviewDeps, overviewOf } from './overview-routes.ts'
import { lacksSecondFactor } from './second-factor-rule.ts'
import type { SignInAuditDeps } from './sign-in-audit.ts'
import { stateOf } from './topics.ts'

export type SessionDeps = SignInAuditDeps &
  OverviewDeps & {
    readonly reports: Pick<ReportStorage, 'marks'>
    readonly limits: Pick<AccountGuard, 'apiRequest'>
    readonly operations: Pick<Operations, 'accounts' | 'audit' | 'reviews'>
    readonly people: Pick<PeopleStorage, 'anyMember' | 'memberOf'>
    readonly clock: Clock
    readonly version: string
    readonly publicUrl: () => string
    readonly signup: 'closed' | 'open'
    readonly identityProvider: Pick<IdentityProvider, 'name'> | null
  }

export function sessionRoutes(deps: SessionDeps): Route[] {
  const { people, clock } = deps

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
        const { cookie } = request.headers
        if (cookie !== undefined) {
          const signIn = await deps.signIn()
          const session = await signIn.sessionOf(cookie)
          const { user, setCookies } = session
          if (setCookies.length > 0) reply.header('set-cookie', setCookies)
          const member = user === null ? null : await people.memberOf(user.id)
          if (user !== null && member !== null) {
            const { accountId, role, operator } = member
            const { id, name } = await deps.operations.accounts.get(accountId)
            // Before the overview, so that the stream also reports changes that the overview lacks.
            const state = stateOf(await deps.reports.marks(accountId, clock.now()))
            const secondFactorNeeded = await lacksSecondFactor(signIn, member, session)
            const wantsOverview = query.with === 'overview' && !secondFactorNeeded
            return {
              ...about,
              setupNeeded: false,
              user,
              account: { id, name },
              role,
              operator,
              secondFactorNeeded,
              state,
              // Without it the page sends a request for it, which shows and logs the failure.
              ...(wantsOverview ? { overview: await overviewFor(accountId).catch(() => null) } : {}),
            }
          }
        }
        const setupNeeded = !(await people.anyMember())
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
        const created = await deps.operations.accounts.setUp(body, body.code, addressOf(request))
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
        await recordAccount(await deps.operations.accounts.signUp(body, addressOf(request)), request)
        reply.header('set-cookie', await (await deps.signIn()).open(body))
      },
    }),
  ]
}
