import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SingleSignOnBody } from '../../contract/console/people.ts'
import type { SignInProblem } from '../../contract/console/sign-in-problems.ts'
import { basePathOf } from '../../model/base-path.ts'
import { type AttemptLimitDeps, createAttemptLimit } from '../../operations/attempt-limit.ts'
import type { Operations } from '../../operations/operations.ts'
import { networkOf } from '../../runtime/network.ts'
import type { Sealer } from '../../runtime/seal.ts'
import { addressOf } from '../client-address.ts'
import { ApiError } from '../errors.ts'
import { type Route, route } from '../route.ts'
import { requireSession } from '../session.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { sealedCookie } from './sealed-cookie.ts'
import { type SignInAuditDeps, signInAudit } from './sign-in-audit.ts'

export type SingleSignOnRouteDeps = SignInAuditDeps &
  AttemptLimitDeps & {
    readonly operations: Pick<Operations, 'audit' | 'people' | 'singleSignOn'>
    readonly sealer: Pick<Sealer, 'seal' | 'open'>
    /** Null: this installation has none. */
    readonly identityProvider: IdentityProvider | null
    readonly publicUrl: () => string
  }

/** The time to sign in at the provider. */
const FLOW_S = 10 * 60

/** What the browser keeps, encrypted, while it is at the provider. */
const Flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  invitation: z.string().nullable(),
  /** The session that connects the identity to its user; null for a sign-in. */
  connects: z.object({ userId: z.string(), sessionId: z.string() }).nullable(),
})

const text = z.string().max(4_096).optional()
const CallbackQuery = z.object({ code: text, state: text, iss: text, error: text })

/** Sign-in at the identity provider. The browser comes back with a GET from another site, so its result is a redirect to a page. */
export function singleSignOnRoutes(deps: SingleSignOnRouteDeps): Route[] {
  const { identityProvider: provider, log } = deps
  const flows = sealedCookie(
    { name: 'radar.sso', path: '/api/console/sso', maxAgeS: FLOW_S, sameSite: 'Lax', schema: Flow },
    deps,
  )
  const audit = signInAudit(deps)
  // The provider limits wrong passwords.
  const starts = createAttemptLimit(deps, 'sign_in')

  const failed = (detail: string): SignInProblem => {
    log.warn('sign_in.provider_failed', { detail })
    return 'provider_failed'
  }

  /** The cookie of the session does not come back from another site with the browser, so who connects is decided before. */
  const connectingSession = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<z.infer<typeof Flow>['connects']> => {
    const { user, sessionId } = await requireSession(request, reply, deps)
    await deps.operations.singleSignOn.checkConnect(user.id, sessionId)
    return { userId: user.id, sessionId }
  }

  /** Opens a session. Returns the problem to show, or null. */
  const finish = async (
    query: z.infer<typeof CallbackQuery>,
    flow: z.infer<typeof Flow> | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SignInProblem | null> => {
    if (provider === null) throw noProvider()
    if (flow === null || flow.state !== query.state) return 'expired'
    if (query.error !== undefined) {
      if (query.error === 'access_denied') return 'cancelled'
      return failed(`it answered with the error ${query.error.slice(0, 100)}`)
    }
    if (query.code === undefined) return failed('its answer has no code')
    const answer = await provider.finish({ ...flow, code: query.code, iss: query.iss ?? null })
    if ('failure' in answer) return failed(answer.failure)
    const clientAddress = addressOf(request)
    const { invitation, connects } = flow
    const { singleSignOn } = deps.operations
    const entry =
      connects === null
        ? await singleSignOn.enter(answer.person, { clientAddress, invitation })
        : await singleSignOn.connect(connects.userId, connects.sessionId, answer.person)
    if ('refusal' in entry) {
      const { refusal } = entry
      log.warn('sign_in.refused', { problem: refusal, subject: answer.person.identity.subject })
      return refusal
    }
    const { user, accountId } = entry
    if (entry.action === 'connected') {
      await audit.record('identity.connected', user, request, provider.name)
      return null
    }
    if (entry.action === 'joined')
      await audit.record('invitation.accepted', user, request, entry.invitedEmail, entry.accountId)
    if (entry.action === 'created_account')
      await audit.record('account.created', user, request, null, entry.accountId)
    await audit.signedIn(user, request, { accountId, detail: `with ${provider.name}` })
    const userAgent = request.headers['user-agent'] ?? ''
    const cookies = await (await deps.signIn()).openFor(user.id, accountId, { clientAddress, userAgent })
    for (const cookie of cookies) reply.header('set-cookie', cookie)
    return null
  }

  return [
    route({
      method: 'POST',
      path: '/sso',
      access: 'anyone',
      body: SingleSignOnBody,
      async run({ body, request, reply }) {
        if (provider === null) throw noProvider()
        await starts.attempt(networkOf(addressOf(request)), 'provider')
        const connects = body.connect === true ? await connectingSession(request, reply) : null
        const started = await provider.start()
        if ('failure' in started) {
          failed(started.failure)
          throw new ApiError('unavailable', `${provider.name} does not respond as expected. Try again later.`)
        }
        const { url, ...secrets } = started
        reply.header(
          'set-cookie',
          flows.set({ ...secrets, next: body.next ?? '/', invitation: body.invitation ?? null, connects }),
        )
        return { url }
      },
    }),

    route({
      method: 'GET',
      path: '/sso/callback',
      access: 'anyone',
      query: CallbackQuery,
      async run({ query, request, reply }) {
        const flow = flows.read(request.headers.cookie)
        const problem = await finish(query, flow, request, reply)
        reply.header('set-cookie', flows.clear())
        // The address of the answer contains the code.
        reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        const next = flow?.next ?? '/'
        const base = basePathOf(deps.publicUrl())
        if (problem === null) return reply.redirect(base + next, 302)
        if (flow !== null && flow.connects !== null)
          return reply.redirect(`${base}/account/sign-in?problem=${problem}`, 302)
        return reply.redirect(base + signInPage(problem, next), 302)
      },
    }),
  ]
}

/** Keeps the page that was asked for, for the next attempt. */
function signInPage(problem: SignInProblem, next: string): string {
  return `/sign-in?${new URLSearchParams({ problem, ...(next === '/' ? {} : { next }) })}`
}

function noProvider(): ApiError {
  return new ApiError('not_found', 'This installation has no identity provider.')
}
