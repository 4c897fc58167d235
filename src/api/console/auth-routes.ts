import { z } from 'zod'
import { isEmail } from '../../operations/accounts/new-user.ts'
import { type AttemptLimitDeps, createAttemptLimit } from '../../operations/attempt-limit.ts'
import { networkOf } from '../../runtime/network.ts'
import { addressOf } from '../client-address.ts'
import { ApiError } from '../errors.ts'
import { type Route, route } from '../route.ts'
import { type AuthSubject, SIGN_IN_PATH, type SignInAuditDeps, signInAudit } from './sign-in-audit.ts'

export type AuthRouteDeps = SignInAuditDeps & AttemptLimitDeps

/** Sign-in has no nested values, and serializing a deeply nested one could exhaust the stack. */
const AuthBody = z.record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]), {
  error: 'The body must be a JSON object of text, numbers, true, false and null.',
})
type AuthBody = z.infer<typeof AuthBody>

const TURN_ON_PATH = '/two-factor/enable'

/** Requests of a known user that check a password or a code. */
const CHECKS = /^\/(two-factor\/.*|change-password)$/

/** Requests that check any secret. */
const SIGN_INS = /^\/(sign-in\/email|reset-password|two-factor\/.*|change-password)$/

/** A success that ends other sessions, or that changes the password or the second factor, also ends the trust in browsers. */
function endsTrust(path: string, body: AuthBody): boolean {
  if (path === '/change-password') return body.revokeOtherSessions === true
  return ['/revoke-sessions', '/revoke-other-sessions', '/reset-password', '/two-factor/disable'].includes(
    path,
  )
}

/**
 * Sign-in, sign-out, passwords and the second factor, which the sign-in library answers. Consecutive failures are counted per e-mail
 * address and network, so that nobody elsewhere can lock its user out: wrong passwords and wrong codes together, also those of a signed-in
 * user.
 */
export function authRoutes(deps: AuthRouteDeps): Route[] {
  const audit = signInAudit(deps)
  const signIns = createAttemptLimit(deps, 'sign_in')
  const failures = createAttemptLimit(deps, 'sign_in_failure')

  return [
    route({
      method: 'POST',
      path: '/auth/*',
      access: 'anyone',
      body: AuthBody,
      async run(call) {
        const { request, reply, body } = call
        const path = `/${call.param('*')}`
        const signIn = await deps.signIn()
        const { cookie } = request.headers
        const clientAddress = addressOf(request)
        const given = path === SIGN_IN_PATH ? emailOf(body.email) : null
        const network = networkOf(clientAddress)
        const attempt = async (email: string) => {
          await failures.attempt(network, email)
          return email
        }
        // Before all others, so that a blocked attempt costs two queries.
        if (SIGN_INS.test(path)) await signIns.attempt(network, 'password')
        let attempts = given === null ? null : await attempt(canSignIn(body) ? given : CANNOT_SIGN_IN)
        const subject = await audit.subjectOf(path, body, cookie)
        const known = CHECKS.test(path) ? emailOf(subject?.user.email) : null
        if (known !== null) attempts = await attempt(known)
        if (path === TURN_ON_PATH && subject?.hasSecondFactor === true) {
          throw new ApiError(
            'conflict',
            'The second factor is already on. To use another app, turn it off first.',
          )
        }
        const answer = await signIn.answer({
          path,
          body,
          cookie,
          clientAddress,
          userAgent: request.headers['user-agent'] ?? '',
        })
        if (answer.setCookies.length > 0) reply.header('set-cookie', answer.setCookies)
        if (answer.error !== null) {
          const failed = failedSignIn(path, given, subject, answer.status)
          if (failed !== null) {
            // Runs after the response, so that its time does not reveal whether the user exists.
            reply.raw.once('close', () => void audit.failed(failed.email, clientAddress, failed.detail))
          }
          const fields = answer.field === null ? {} : { fields: { [answer.field]: answer.error } }
          return reply.code(answer.status).send({ error: answer.error, ...fields })
        }
        // After the password alone a guess of the code must not begin with a new count.
        if (answer.shown.needsSecondFactor === true) return answer.shown
        if (attempts !== null) await failures.succeeded(network, attempts)
        if (subject !== null && endsTrust(path, body)) await signIn.forgetTrustedBrowsers(subject.user.id)
        const signedIn = given === null ? null : await signIn.userByEmail(given)
        await audit.done(path, signedIn ?? subject?.user ?? null, subject, request)
        return answer.shown
      },
    }),
  ]
}

/** A failed sign-in of a user who may exist; null for other failures. */
function failedSignIn(
  path: string,
  given: string | null,
  subject: AuthSubject | null,
  status: number,
): { readonly email: string; readonly detail?: string } | null {
  if (given !== null) return status === 401 ? { email: given } : null
  return subject?.by === 'challenge' && path.startsWith('/two-factor/verify-')
    ? { email: subject.user.email, detail: 'wrong code' }
    : null
}

/**
 * Other bodies guess no password, and the library refuses them without hashing one. They count together for a network: each with a count of
 * its own would be a cheap way to use up the rows that the counts of users share.
 */
function canSignIn({ email, password }: AuthBody): boolean {
  return typeof email === 'string' && isEmail(email) && typeof password === 'string'
}
const CANNOT_SIGN_IN = 'no address or no password'

/** E-mail addresses of users are case-insensitive. */
function emailOf(value: unknown): string | null {
  return typeof value === 'string' ? value.trim().toLowerCase().slice(0, 254) : null
}
