import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operations } from '../operations/operations.ts'
import type { SignIn } from './console/sign-in.ts'
import { ApiError } from './errors.ts'
import type { Member } from './route.ts'
import { refuseForeign } from './same-site.ts'

export type SessionDeps = {
  readonly signIn: () => Promise<SignIn>
  readonly operations: Pick<Operations, 'people'>
}

export type GuardedSessionDeps = SessionDeps & {
  /** The origins of the console. */
  readonly origins: () => readonly string[]
}

/**
 * The caller with this session cookie; null without a session, and for a user who was removed from their account.
 *
 * `lacksSecondFactor`: the account requires a second factor that the user has not turned on. Until then they can only turn it on. A user without
 * a password signs in at the identity provider, which has its own rules.
 */
export async function signedInAs(
  cookie: string | undefined,
  { signIn, operations: { people } }: SessionDeps,
  reply?: FastifyReply,
): Promise<{ readonly member: Member; readonly lacksSecondFactor: boolean } | null> {
  if (cookie === undefined) return null
  const users = await signIn()
  const { user, sessionId, setCookies, hasSecondFactor } = await users.sessionOf(cookie)
  if (setCookies.length > 0) reply?.header('set-cookie', setCookies)
  const found = user === null ? null : await people.memberOf(user.id)
  if (user === null || found === null) return null
  const { accountId, role, operator, requiresSecondFactor } = found
  return {
    member: { user, sessionId, accountId, role, operator },
    lacksSecondFactor: requiresSecondFactor && !hasSecondFactor && (await users.hasPassword(user.id)),
  }
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Throws 403 for a change that does not come from the console's own pages. */
export function refuseForeignChange({ method, headers }: FastifyRequest, deps: GuardedSessionDeps): void {
  if (!SAFE_METHODS.includes(method)) refuseForeign(headers, deps.origins())
}

/** The member whose session a request has; null without one. Throws 403 for a foreign change and without a required second factor. */
export async function memberOf(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: GuardedSessionDeps,
): Promise<Member | null> {
  const session = await signedInAs(request.headers.cookie, deps, reply)
  if (session === null) return null
  refuseForeignChange(request, deps)
  if (session.lacksSecondFactor) {
    throw new ApiError('forbidden', 'Your account requires a second factor. Turn it on first.')
  }
  return session.member
}

export function requireOwner({ role }: Member): void {
  if (role !== 'owner') throw new ApiError('forbidden', 'Only an owner of the account may do this.')
}
