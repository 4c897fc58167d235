import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_HEADER, ACCOUNT_QUERY } from '../contract/console/account-header.ts'
import type { AccountMembership } from '../operations/accounts/people.ts'
import type { User } from '../operations/accounts/users.ts'
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

/** A signed-in browser. */
export type SignedIn = {
  readonly user: User
  readonly sessionId: string
  /** The accounts of the user, at least one. */
  readonly memberships: readonly AccountMembership[]
  /** Null until a user of several accounts has chosen one. */
  readonly member: Member | null
  /**
   * The account requires a second factor that the user has not turned on. Until then they can only turn it on. A user without a password
   * signs in at the identity provider, which has its own rules.
   */
  readonly lacksSecondFactor: boolean
}

/**
 * Whose session cookie it is; null without a session, for a user who belongs to no account, and after the removal from the session's
 * account.
 */
export async function signedInAs(
  cookie: string | undefined,
  { signIn, operations: { people } }: SessionDeps,
  reply?: FastifyReply,
): Promise<SignedIn | null> {
  if (cookie === undefined) return null
  const users = await signIn()
  const { user, sessionId, accountId, setCookies, hasSecondFactor } = await users.sessionOf(cookie)
  if (setCookies.length > 0) reply?.header('set-cookie', setCookies)
  if (user === null || sessionId === null) return null
  const memberships = await people.memberships(user.id)
  const [only] = memberships
  if (only === undefined) return null
  const signedIn = { user, sessionId, memberships }
  if (accountId === null && memberships.length > 1)
    return { ...signedIn, member: null, lacksSecondFactor: false }
  const entered = accountId === null ? only : memberships.find((each) => each.accountId === accountId)
  if (entered === undefined) return null
  const { role, operator, requiresSecondFactor } = entered
  return {
    ...signedIn,
    member: { user, sessionId, accountId: entered.accountId, role, operator },
    lacksSecondFactor: requiresSecondFactor && !hasSecondFactor && (await users.hasPassword(user.id)),
  }
}

/** The user of the session. Throws 401 without one. */
export async function requireSession(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  deps: SessionDeps,
): Promise<SignedIn> {
  return (await signedInAs(headers.cookie, deps, reply)) ?? notSignedIn()
}

export function notSignedIn(): never {
  throw new ApiError('unauthorized', 'You are not signed in.')
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Throws 403 for a change that does not come from the console's own pages. */
export function refuseForeignChange({ method, headers }: FastifyRequest, deps: GuardedSessionDeps): void {
  if (!SAFE_METHODS.includes(method)) refuseForeign(headers, deps.origins())
}

/**
 * The member whose session a request has; null without one. Throws 403 for a foreign change, without a required second factor, and for a
 * page of another account: the session may have entered another one in another tab.
 */
export async function memberOf(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: GuardedSessionDeps,
): Promise<Member | null> {
  const session = await signedInAs(request.headers.cookie, deps, reply)
  if (session === null) return null
  refuseForeignChange(request, deps)
  if (session.member === null) throw new ApiError('forbidden', 'Choose an account first.')
  const page = pageAccountOf(request)
  if (page !== undefined && page !== session.member.accountId) {
    throw new ApiError('forbidden', 'This page belongs to another account. Reload the page.')
  }
  if (session.lacksSecondFactor) {
    throw new ApiError('forbidden', 'Your account requires a second factor. Turn it on first.')
  }
  return session.member
}

/** The account of the page that sent the request: in a header, or in the query of a download. */
function pageAccountOf({ headers, query }: FastifyRequest): unknown {
  const given: Readonly<Record<string, unknown>> =
    typeof query === 'object' && query !== null ? { ...query } : {}
  return headers[ACCOUNT_HEADER] ?? given[ACCOUNT_QUERY]
}

export function requireOwner({ role }: Member): void {
  if (role !== 'owner') throw new ApiError('forbidden', 'Only an owner of the account may do this.')
}
