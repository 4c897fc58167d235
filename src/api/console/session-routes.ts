import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type SessionView, SetupBody, SignUpBody } from '../../contract/console/people.ts'
import type { CreatedAccount } from '../../operations/accounts/accounts.ts'
import { createAttemptLimit, tooManyAttempts } from '../../operations/attempt-limit.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import type { ReportStorage } from '../../storage/port/reports.ts'
import { addressOf, networkOf } from '../client-address.ts'
import { userActor } from '../record-call.ts'
import { type Route, route } from '../route.ts'
import { SIGN_IN_PATH, type SignInAuditDeps, signInAudit } from './sign-in-audit.ts'
import { stateOf } from './topics.ts'

export type SessionDeps = SignInAuditDeps & {
  readonly reports: Pick<ReportStorage, 'marks'>
  readonly operations: Pick<Operations, 'accounts' | 'audit'>
  readonly people: Pick<PeopleStorage, 'anyMember' | 'memberOf'>
  readonly clock: Clock
  readonly version: string
  readonly publicUrl: () => string
  readonly signup: 'closed' | 'open'
}

/** Consecutive failures are counted per e-mail address and network, so that nobody elsewhere can lock its user out. In addition, better-auth limits the attempts of one client address for all users. */
const SIGN_IN_FAILURES_MAX = 10
const FAILURES_WINDOW_MS = 15 * 60_000

/** Sign-in has no nested values, and serializing a deeply nested one could exhaust the stack. */
const AuthBody = z.record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]), {
  error: 'The body must be a JSON object of text, numbers, true, false and null.',
})

export function sessionRoutes(deps: SessionDeps): Route[] {
  const { people, clock } = deps
  const audit = signInAudit(deps)
  const signIns = createAttemptLimit({ max: SIGN_IN_FAILURES_MAX, windowMs: FAILURES_WINDOW_MS, clock })

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
      async run({ request, reply }): Promise<SessionView> {
        const about = {
          version: deps.version,
          baseUrl: deps.publicUrl(),
          signupOpen: deps.signup === 'open',
        }
        const { cookie } = request.headers
        if (cookie !== undefined) {
          const { user, setCookies } = await (await deps.signIn()).sessionOf(cookie)
          if (setCookies.length > 0) reply.header('set-cookie', setCookies)
          const member = user === null ? null : await people.memberOf(user.id)
          if (user !== null && member !== null) {
            const { accountId, role, operator } = member
            const { id, name } = await deps.operations.accounts.get(accountId)
            const state = stateOf(await deps.reports.marks(accountId, clock.now()))
            return { ...about, setupNeeded: false, user, account: { id, name }, role, operator, state }
          }
        }
        const setupNeeded = !(await people.anyMember())
        return { ...about, setupNeeded, user: null, account: null, role: null, operator: false, state: null }
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

    route({
      method: 'POST',
      path: '/auth/*',
      access: 'anyone',
      body: AuthBody,
      async run(call) {
        const { request, reply, body } = call
        const path = `/${call.param('*')}`
        const email = path === SIGN_IN_PATH ? emailOf(body) : null
        const attempts = email === null ? null : `${email} ${networkOf(addressOf(request))}`
        if (attempts !== null) signIns.attempt(attempts)
        const { cookie } = request.headers
        const user = await audit.userOf(path, body, cookie)
        const answer = await (await deps.signIn()).answer({
          path,
          body,
          cookie,
          clientAddress: addressOf(request),
          userAgent: request.headers['user-agent'] ?? '',
        })
        if (answer.retryAfterS !== null) throw tooManyAttempts(answer.retryAfterS)
        if (answer.setCookies.length > 0) reply.header('set-cookie', answer.setCookies)
        if (answer.error !== null) {
          if (email !== null && answer.status === 401) {
            // Runs after the response, so that its time does not reveal whether the user exists.
            reply.raw.once('close', () => void audit.failed(email, addressOf(request)))
          }
          const fields = answer.field === null ? {} : { fields: { [answer.field]: answer.error } }
          return reply.code(answer.status).send({ error: answer.error, ...fields })
        }
        if (attempts !== null) signIns.succeeded(attempts)
        const signedIn = email === null ? user : await (await deps.signIn()).userByEmail(email)
        await audit.done(path, signedIn, request)
        return {}
      },
    }),
  ]
}

/** E-mail addresses of users are case-insensitive. */
function emailOf(body: { readonly [name: string]: unknown }): string | null {
  return typeof body.email === 'string' ? body.email.trim().toLowerCase().slice(0, 254) : null
}
