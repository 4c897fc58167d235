import { randomBytes } from 'node:crypto'
import type { AuthAnswer, AuthRequest, Session, SignIn } from '../../api/console/sign-in.ts'
import type { User, UserSession } from '../../operations/accounts/users.ts'
import { isDiskFull } from '../../storage/port/errors.ts'
import { AUTH_PATH, type Auth, type AuthOptions, CLIENT_ADDRESS_HEADER, createAuth } from './better-auth.ts'
import { identityStore } from './identities.ts'
import { passkeyStore } from './passkey-store.ts'
import { PATHS, passedOn, RESET_PASSWORD_PATH, VERIFY_CODE_PATH } from './paths.ts'
import { secondFactorStore, usedCodes } from './second-factor.ts'
import { fieldOf, sentenceOf } from './sentences.ts'
import { presentUser, storedEmail } from './stored-email.ts'

const RESET_TOKEN_BYTES = 32
/** Ends the token of a reset that keeps passkeys. The database has a hash of the whole token, so nobody can add or remove it. */
const KEEPS_PASSKEYS = '.k'

export function createSignIn(options: AuthOptions): SignIn {
  const auth = createAuth(options)
  const origin = new URL(options.publicUrl).origin
  const secondFactors = secondFactorStore(auth)
  const identities = identityStore(auth)
  return {
    ...secondFactors,
    ...identities,
    ...passkeyStore(auth),

    sessionOf: (cookie) => sessionOf(auth, cookie),

    challengedUser: (cookie) => challengedUser(auth, cookie),

    async createUser({ name, email: shown, password, identity }) {
      const { internalAdapter, password: passwords } = await auth.$context
      const email = storedEmail(shown, identity)
      const existing = await internalAdapter.findUserByEmail(email)
      if (existing !== null) {
        if (identity === undefined || (await identities.userOfIdentity(identity)) !== null) return null
        // A crash left a user without the identity that nobody else can have.
        await internalAdapter.deleteUser(existing.user.id)
      }
      const hash = password === null ? null : await passwords.hash(password)
      try {
        const user = await internalAdapter.createUser({ name, email, emailVerified: false })
        if (hash !== null) {
          await internalAdapter.linkAccount({
            userId: user.id,
            providerId: 'credential',
            accountId: user.id,
            password: hash,
          })
        }
        if (identity !== undefined) await identities.linkIdentity(user.id, identity)
        return presentUser(user)
      } catch (error) {
        // A concurrent request created a user with the same address.
        if ((await internalAdapter.findUserByEmail(email)) !== null) return null
        throw error
      }
    },

    async removeUser(userId) {
      const { adapter, internalAdapter } = await auth.$context
      await secondFactors.removeSecondFactor(userId)
      // Links to set a password, which the library keeps until they expire.
      await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value: userId }] })
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

    async enterAccount(sessionId, accountId) {
      const { adapter } = await auth.$context
      const where = [{ field: 'id', value: sessionId }]
      await adapter.update({ model: 'session', where, update: { accountId } })
    },

    async enterOnlyAccount(userId, accountId) {
      const { adapter } = await auth.$context
      const where = [
        { field: 'userId', value: userId },
        { field: 'accountId', value: null },
      ]
      await adapter.updateMany({ model: 'session', where, update: { accountId } })
    },

    async endSessionsIn(userId, accountId) {
      const { adapter } = await auth.$context
      const where = [
        { field: 'userId', value: userId },
        { field: 'accountId', value: accountId },
      ]
      await adapter.deleteMany({ model: 'session', where })
    },

    async endSession(userId, sessionId) {
      const { internalAdapter } = await auth.$context
      const stored = await internalAdapter.listSessions(userId)
      const session = stored.find(({ id }) => id === sessionId)
      if (session === undefined) return false
      await internalAdapter.deleteSession(session.token)
      return true
    },

    async createPasswordReset(userId, expiresAt, { keepsPasskeys }) {
      const { internalAdapter } = await auth.$context
      const token = `${randomBytes(RESET_TOKEN_BYTES).toString('base64url')}${keepsPasskeys ? KEEPS_PASSKEYS : ''}`
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

    async openFor(userId, accountId, { clientAddress, userAgent }) {
      const { headers } = await auth.api.openSession({
        body: { userId, accountId },
        headers: new Headers({ 'user-agent': userAgent, [CLIENT_ADDRESS_HEADER]: clientAddress }),
        returnHeaders: true,
      })
      return headers.getSetCookie()
    },

    answer: (request) => answerOf(auth, origin, request),
  }
}

async function sessionOf(auth: Auth, cookie: string | undefined): Promise<Session> {
  // Most requests have no cookie and need no query.
  if (cookie === undefined)
    return { user: null, sessionId: null, accountId: null, hasSecondFactor: false, setCookies: [] }
  const { headers, response } = await readSession(auth, cookie)
  return {
    user: response === null ? null : presentUser(response.user),
    sessionId: response?.session.id ?? null,
    accountId: response?.session.accountId ?? null,
    hasSecondFactor: response?.user.twoFactorEnabled === true,
    // The library deletes the cookie of an ended session. By then the browser may have the cookie of the session that replaced it.
    setCookies: response === null ? [] : headers.getSetCookie(),
  }
}

/** A session that is due for extension is still read when the disk is full. */
async function readSession(auth: Auth, cookie: string) {
  const request = { headers: new Headers({ cookie }), returnHeaders: true } as const
  try {
    return await auth.api.getSession(request)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    return auth.api.getSession({ ...request, query: { disableRefresh: true } })
  }
}

async function challengedUser(auth: Auth, cookie: string | undefined): Promise<User | null> {
  return cookie === undefined ? null : await auth.api.challengedUser({ headers: new Headers({ cookie }) })
}

async function answerOf(auth: Auth, origin: string, request: AuthRequest): Promise<AuthAnswer> {
  const path = PATHS.get(request.path)
  if (path === undefined) return failed(404, 'There is nothing at this path.')
  const body = passedOn(path, request.body)
  const codes = usedCodes(auth)
  // Also the code that turns the factor on must not sign in.
  const entering =
    request.path === VERIFY_CODE_PATH
      ? ((await challengedUser(auth, request.cookie)) ?? (await sessionOf(auth, request.cookie)).user)
      : null
  const code = String(body.code)
  if (entering !== null && !(await codes.reserve(entering.id, code))) {
    return failed(401, 'This code was used before. Wait for the next one.', 'code')
  }
  const resets = request.path === RESET_PASSWORD_PATH ? await resetOf(auth, String(body.token)) : null
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
      body: JSON.stringify(body),
    }),
  )
  const setCookies = response.headers.getSetCookie()
  if (response.ok) {
    if (resets !== null && !resets.keepsPasskeys) {
      await passkeyStore(auth).removePasskeys(resets.userId)
      await identityStore(auth).unlinkIdentity(resets.userId)
    }
    const shown = path.shown?.((await response.json()) as Record<string, unknown>) ?? {}
    return { status: 200, error: null, field: null, setCookies, shown }
  }
  if (entering !== null) await codes.release(entering.id, code)
  const text = await response.text()
  return {
    status: response.status,
    error: sentenceOf(response.status, text),
    field: fieldOf(text),
    setCookies,
    shown: {},
  }
}

/** Whose password is set; null for a token that is not valid. Read before the request, which uses it up. */
async function resetOf(auth: Auth, token: string) {
  const { internalAdapter } = await auth.$context
  const stored = await internalAdapter.findVerificationValue(resetIdentifier(token))
  return stored === null ? null : { userId: stored.value, keepsPasskeys: token.endsWith(KEEPS_PASSKEYS) }
}

/** The identifier under which the endpoint /reset-password looks up a token. */
function resetIdentifier(token: string): string {
  return `reset-password:${token}`
}

function failed(status: number, error: string, field: string | null = null): AuthAnswer {
  return { status, error, field, setCookies: [], shown: {} }
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
