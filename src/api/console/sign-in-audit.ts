import type { FastifyRequest } from 'fastify'
import type { AuditAction } from '../../model/audit.ts'
import type { User } from '../../operations/accounts/users.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Log } from '../../runtime/log.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { addressOf } from '../client-address.ts'
import { userActor } from '../record-call.ts'
import type { SignIn } from './sign-in.ts'

export type SignInAuditDeps = {
  readonly signIn: () => Promise<SignIn>
  readonly operations: Pick<Operations, 'audit'>
  readonly people: Pick<PeopleStorage, 'memberOf'>
  readonly log: Log
}

/** Records sign-ins, sessions and passwords, whose routes have no caller. */
export type SignInAudit = {
  /** The user whose password or sessions a request changes, read before the response, which may end the session. */
  readonly userOf: (
    path: string,
    body: Readonly<Record<string, unknown>>,
    cookie: string | undefined,
  ) => Promise<User | null>
  /** Records what the user did through a path below `/api/console/auth`. */
  readonly done: (path: string, user: User | null, request: FastifyRequest) => Promise<void>
  readonly record: (
    action: AuditAction,
    user: User,
    request: FastifyRequest,
    detail?: string | null,
  ) => Promise<void>
  /** Records a failed sign-in of an existing user; an unknown address belongs to no account. Never throws. */
  readonly failed: (email: string, clientAddress: string) => Promise<void>
}

export const SIGN_IN_PATH = '/sign-in/email'
const RESET_PATH = '/reset-password'

const ENTRIES: ReadonlyMap<string, readonly [action: AuditAction, detail: string | null]> = new Map([
  [SIGN_IN_PATH, ['sign_in.succeeded', null]],
  ['/sign-out', ['sign_in.signed_out', null]],
  ['/change-password', ['password.changed', null]],
  [RESET_PATH, ['password.reset', null]],
  ['/revoke-sessions', ['session.ended', 'all']],
  ['/revoke-other-sessions', ['session.ended', 'all others']],
])

export function signInAudit({ signIn, operations: { audit }, people, log }: SignInAuditDeps): SignInAudit {
  const accountOf = async (user: User) => (await people.memberOf(user.id))?.accountId

  const record: SignInAudit['record'] = async (action, user, request, detail = null) => {
    const accountId = await accountOf(user)
    if (accountId === undefined) return
    const clientAddress = addressOf(request)
    await audit.record({ accountId, actor: userActor(user), clientAddress, action, target: user.id, detail })
  }

  return {
    async userOf(path, { token }, cookie) {
      if (path === SIGN_IN_PATH || !ENTRIES.has(path)) return null
      const users = await signIn()
      if (path !== RESET_PATH) return (await users.sessionOf(cookie)).user
      return typeof token === 'string' ? users.userOfPasswordReset(token) : null
    },

    async done(path, user, request) {
      const [action, detail] = ENTRIES.get(path) ?? []
      if (action !== undefined && user !== null) await record(action, user, request, detail)
    },

    record,

    async failed(email, clientAddress) {
      const action = 'sign_in.failed'
      try {
        const user = await (await signIn()).userByEmail(email)
        const accountId = user === null ? undefined : await accountOf(user)
        if (user === null || accountId === undefined) return
        const actor = { kind: 'none', id: null, name: null } as const
        await audit.record({ accountId, actor, clientAddress, action, target: user.id, detail: user.email })
      } catch (error) {
        log.error('audit.failed', { action, error })
      }
    },
  }
}
