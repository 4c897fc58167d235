import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FirstLoad } from '../../contract/console/first-load.ts'
import type { Overview } from '../../contract/console/overview.ts'
import { EnterBody, JoinBody, SetupBody, SignUpBody } from '../../contract/console/people.ts'
import type { CreatedAccount, NewOwner } from '../../operations/accounts/accounts.ts'
import type { AccountGuard } from '../../operations/limits.ts'
import type { Operations } from '../../operations/operations.ts'
import { addressOf } from '../client-address.ts'
import { ApiError } from '../errors.ts'
import { userActor } from '../record-call.ts'
import { type Route, route } from '../route.ts'
import { requireSession, type SignedIn, signedInAs } from '../session.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { type OverviewDeps, overviewOf } from './overview-routes.ts'
import { type SignInAuditDeps, signInAudit } from './sign-in-audit.ts'
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
  const audit = signInAudit(deps)

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

  const enter = async ({ user, sessionId, member }: SignedIn, accountId: string, request: FastifyRequest) => {
    if (member?.accountId === accountId) return
    await (await deps.signIn()).enterAccount(sessionId, accountId)
    if (member !== null) await audit.record('sign_in.signed_out', user, request, null, member.accountId)
    await audit.signedIn(user, request, { accountId })
  }

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
          const { user, member, memberships } = session
          const accounts = memberships.map(({ accountId: id, accountName: name }) => ({ id, name }))
          if (member === null) return { ...about, ...OUTSIDE, user, accounts }
          const { accountId, role, operator } = member
          // Before the overview, so that the stream also reports changes that the overview lacks.
          const state = stateOf(await overview.marks(accountId))
          const wantsOverview = query.with === 'overview' && !session.lacksSecondFactor
          return {
            ...about,
            setupNeeded: false,
            user,
            accounts,
            account: accounts.find(({ id }) => id === accountId) ?? null,
            role,
            operator,
            secondFactorNeeded: session.lacksSecondFactor,
            state,
            // Without it the page sends a request for it, which shows and logs the failure.
            ...(wantsOverview ? { overview: await overviewFor(accountId).catch(() => null) } : {}),
          }
        }
        return { ...about, ...OUTSIDE, setupNeeded: !(await accounts.exist()), user: null, accounts: [] }
      },
    }),

    // For every session: one that has not entered an account has no member.
    route({
      method: 'POST',
      path: '/session/account',
      access: 'anyone',
      body: EnterBody,
      async run({ body, request, reply }) {
        const session = await requireSession(request, reply, deps)
        if (!session.memberships.some(({ accountId }) => accountId === body.account))
          throw new ApiError('not_found', 'You do not belong to this account.')
        deps.limits.apiRequest(body.account)
        await enter(session, body.account, request)
      },
    }),

    route({
      method: 'POST',
      path: '/invitations/join',
      access: 'anyone',
      body: JoinBody,
      async run({ body, request, reply }) {
        const session = await requireSession(request, reply, deps)
        const { accountId, invitedEmail } = await deps.operations.people.join(
          body.token,
          session.user.id,
          addressOf(request),
        )
        await audit.record('invitation.accepted', session.user, request, invitedEmail, accountId)
        await enter(session, accountId, request)
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

/** A session, or a browser without one, outside of all accounts. */
const OUTSIDE = {
  setupNeeded: false,
  account: null,
  role: null,
  operator: false,
  secondFactorNeeded: false,
  state: null,
} as const

function ownerOf({ account_name: accountName, ...user }: SignUpBody): NewOwner {
  return { ...user, accountName }
}
