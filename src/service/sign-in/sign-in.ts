import { randomBytes } from 'node:crypto'
import type { AuthAnswer, AuthRequest, Session, SignIn } from '../../api/console/sign-in.ts'
import type { User, UserSession } from '../../operations/accounts/users.ts'
import { AUTH_PATH, type Auth, type AuthOptions, CLIENT_ADDRESS_HEADER, createAuth } from './better-auth.ts'
import { fieldOf, sentenceOf } from './sentences.ts'

/** better-auth's endpoints that the console uses; all others answer 404. */
const PATHS: readonly string[] = [
  '/sign-in/email',
  '/sign-out',
  '/change-password',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/reset-password',
]

const RESET_TOKEN_BYTES = 32

export function createSignIn(options: AuthOptions): SignIn {
  const auth = createAuth(options)
  const origin = new URL(options.publicUrl).origin
  return {
    sessionOf: (cookie) => sessionOf(auth, cookie),

    async createUser({ name, email, password }) {
      const { internalAdapter, password: passwords } = await auth.$context
      if ((await internalAdapter.findUserByEmail(email)) !== null) return null
      const hash = await passwords.hash(password)
      try {
        const user = await internalAdapter.createUser({ name, email, emailVerified: false })
        await internalAdapter.linkAccount({
          userId: user.id,
          providerId: 'credential',
          accountId: user.id,
          password: hash,
        })
        return presentUser(user)
      } catch (error) {
        // A concurrent request created a user with the same address.
        if ((await internalAdapter.findUserByEmail(email)) !== null) return null
        throw error
      }
    },

    async removeUser(userId) {
      const { internalAdapter } = await auth.$context
      await internalAdapter.deleteUser(userId)
    },

    async userByEmail(email) {
      const { internalAdapter } = await auth.$context
      const found = await internalAdapter.findUserByEmail(email)
      return found === null ? null : presentUser(found.user)
    },

    async users(userIds) {
      if (userIds.length === 0) return []
      const { adapter } = await auth.$context
      const found = await adapter.findMany<User>({
        model: 'user',
        where: [{ field: 'id', operator: 'in', value: [...userIds] }],
        limit: userIds.length,
      })
      return found.map(presentUser)
    },

    async sessions(userId) {
      const { internalAdapter } = await auth.$context
      const stored = await internalAdapter.listSessions(userId, { onlyActiveSessions: true })
      return stored
        .map(presentSession)
        .sort((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime() || a.id.localeCompare(b.id))
    },

    async endSession(userId, sessionId) {
      const { internalAdapter } = await auth.$context
      const stored = await internalAdapter.listSessions(userId)
      const session = stored.find(({ id }) => id === sessionId)
      if (session === undefined) return false
      await internalAdapter.deleteSession(session.token)
      return true
    },

    async createPasswordReset(userId, expiresAt) {
      const { internalAdapter } = await auth.$context
      const token = randomBytes(RESET_TOKEN_BYTES).toString('base64url')
      await internalAdapter.createVerificationValue({
        identifier: resetIdentifier(token),
        value: userId,
        expiresAt,
      })
      return token
    },

    async userOfPasswordReset(token) {
      const { internalAdapter } = await auth.$context
      const stored = await internalAdapter.findVerificationValue(resetIdentifier(token))
      const user = stored === null ? null : await internalAdapter.findUserById(stored.value)
      return user === null ? null : presentUser(user)
    },

    async open({ email, password }) {
      const answer = await auth.api.signInEmail({ body: { email, password }, asResponse: true })
      if (!answer.ok) throw new Error(`the new user cannot sign in: ${answer.status}`)
      return answer.headers.getSetCookie()
    },

    answer: (request) => answerOf(auth, origin, request),
  }
}

async function sessionOf(auth: Auth, cookie: string | undefined): Promise<Session> {
  // Most requests have no cookie and need no query.
  if (cookie === undefined) return { user: null, sessionId: null, setCookies: [] }
  const { headers, response } = await auth.api.getSession({
    headers: new Headers({ cookie }),
    returnHeaders: true,
  })
  return {
    user: response === null ? null : presentUser(response.user),
    sessionId: response?.session.id ?? null,
    setCookies: headers.getSetCookie(),
  }
}

async function answerOf(auth: Auth, origin: string, request: AuthRequest): Promise<AuthAnswer> {
  if (!PATHS.includes(request.path)) return failed(404, 'There is nothing at this path.')
  const response = await auth.handler(
    new Request(`${origin}${AUTH_PATH}${request.path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // The console has already checked the origin, more strictly.
        origin,
        'user-agent': request.userAgent,
        [CLIENT_ADDRESS_HEADER]: request.clientAddress,
        ...(request.cookie === undefined ? {} : { cookie: request.cookie }),
      },
      body: JSON.stringify(request.body ?? {}),
    }),
  )
  const setCookies = response.headers.getSetCookie()
  // The body of a success contains the session's token, which scripts do not need.
  if (response.ok) return { status: 200, error: null, field: null, retryAfterS: null, setCookies }
  const retryAfter = Number(response.headers.get('x-retry-after'))
  const body = await response.text()
  return {
    status: response.status,
    error: sentenceOf(response.status, body),
    field: fieldOf(body),
    retryAfterS: response.status === 429 && Number.isFinite(retryAfter) ? Math.max(1, retryAfter) : null,
    setCookies,
  }
}

/** The identifier under which the endpoint /reset-password looks up a token. */
function resetIdentifier(token: string): string {
  return `reset-password:${token}`
}

function failed(status: number, error: string): AuthAnswer {
  return { status, error, field: null, retryAfterS: null, setCookies: [] }
}

function presentSession(session: {
  id: string
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  ipAddress?: string | null | undefined
  userAgent?: string | null | undefined
}): UserSession {
  return {
    id: session.id,
    signedInAt: session.createdAt,
    lastUsedAt: session.updatedAt,
    expiresAt: session.expiresAt,
    clientAddress: session.ipAddress || null,
    userAgent: session.userAgent || null,
  }
}

function presentUser({ id, name, email }: User): User {
  return { id, name, email }
}
