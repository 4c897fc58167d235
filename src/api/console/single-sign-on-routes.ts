import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SingleSignOnBody } from '../../contract/console/people.ts'
import type { SignInProblem } from '../../contract/console/sign-in-problems.ts'
import { createAttemptLimit } from '../../operations/attempt-limit.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Sealer } from '../../runtime/seal.ts'
import { addressOf, networkOf } from '../client-address.ts'
import { ApiError } from '../errors.ts'
import { type Route, route } from '../route.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { sealedCookie } from './sealed-cookie.ts'
import { type SignInAuditDeps, signInAudit } from './sign-in-audit.ts'

export type SingleSignOnRouteDeps = SignInAuditDeps & {
  readonly operations: Pick<Operations, 'audit' | 'singleSignOn'>
  readonly clock: Clock
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
  /** Null: this installation has none. */
  readonly identityProvider: IdentityProvider | null
  readonly publicUrl: () => string
}

/** Sign-ins that one network starts. The provider limits wrong passwords. */
const STARTS_MAX = 60
const STARTS_WINDOW_MS = 60_000

/** The time to sign in at the provider. */
const FLOW_S = 10 * 60

/** What the browser keeps, encrypted, while it is at the provider. */
const Flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
})

const text = z.string().max(4_096).optional()
const CallbackQuery = z.object({ code: text, state: text, iss: text, error: text })

/** Sign-in at the identity provider. The browser comes back with a GET from another site, so its result is a redirect to a page. */
export function singleSignOnRoutes(deps: SingleSignOnRouteDeps): Route[] {
  const { identityProvider: provider, clock, log } = deps
  const flows = sealedCookie(
    { name: 'radar.sso', path: '/api/console/sso', maxAgeS: FLOW_S, sameSite: 'Lax', schema: Flow },
    deps,
  )
  const audit = signInAudit(deps)
  const starts = createAttemptLimit({ max: STARTS_MAX, windowMs: STARTS_WINDOW_MS, clock })

  const failed = (detail: string): SignInProblem => {
    log.warn('sign_in.provider_failed', { detail })
    return 'provider_failed'
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
    const entry = await deps.operations.singleSignOn.enter(answer.person, clientAddress)
    if ('refusal' in entry) {
      const { refusal, email } = entry
      if (email !== null) await audit.failed(email, clientAddress, `${provider.name}: ${refusal}`)
      return refusal
    }
    const { user, action } = entry
    if (action === 'joined') await audit.record('invitation.accepted', user, request)
    if (action === 'created_account') await audit.record('account.created', user, request)
    await audit.record('sign_in.succeeded', user, request, `with ${provider.name}`)
    const userAgent = request.headers['user-agent'] ?? ''
    const cookies = await (await deps.signIn()).openFor(user.id, { clientAddress, userAgent })
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
        starts.attempt(networkOf(addressOf(request)))
        const started = await provider.start()
        if ('failure' in started) {
          failed(started.failure)
          throw new ApiError('unavailable', `${provider.name} does not respond as expected. Try again later.`)
        }
        const { url, ...secrets } = started
        reply.header('set-cookie', flows.set({ ...secrets, next: body.next ?? '/' }))
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
        return reply.redirect(problem === null ? next : signInPage(problem, next), 302)
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
