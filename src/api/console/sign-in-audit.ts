import type { FastifyRequest } from 'fastify'
import type { AuditAction } from '../../model/audit.ts'
import type { User } from '../../operations/accounts/users.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Log } from '../../runtime/log.ts'
import { addressOf } from '../client-address.ts'
import { userActor } from '../record-call.ts'
import type { SignIn } from './sign-in.ts'

export type SignInAuditDeps = {
  readonly signIn: () => Promise<SignIn>
  readonly operations: Pick<Operations, 'audit' | 'people'>
  readonly log: Log
}

/** The user whose password, second factor or sessions a request is about, and how the request shows who they are. */
export type AuthSubject = {
  readonly user: User
  /** `challenge`: the password was right and the code is missing. */
  readonly by: 'session' | 'challenge' | 'reset_link'
  /** The account that the session has entered; null without one. */
  readonly accountId: string | null
  readonly hasSecondFactor: boolean
}

/**
 * Records sign-ins, sessions, passwords and second factors, whose routes have no caller: each in all accounts of the user, except what
 * happens in one of them. An account never sees another: who enters another one has signed out of it.
 */
export type SignInAudit = {
  /** Read before the response, which may end the session. */
  readonly subjectOf: (
    path: string,
    body: Readonly<Record<string, unknown>>,
    cookie: string | undefined,
  ) => Promise<AuthSubject | null>
  /** Records what the user did through a path below `/api/console/auth`. */
  readonly done: (
    path: string,
    user: User | null,
    subject: AuthSubject | null,
    request: FastifyRequest,
  ) => Promise<void>
  readonly record: (
    action: AuditAction,
    user: User,
    request: FastifyRequest,
    detail?: string | null,
    accountId?: string,
  ) => Promise<void>
  /** Into `accountId`, or the only account. A user of several accounts has signed in when they have chosen one. */
  readonly signedIn: (
    user: User,
    request: FastifyRequest,
    into: { readonly accountId: string | null; readonly detail?: string | null },
  ) => Promise<void>
  /** Records a failed sign-in of an existing user; an unknown address belongs to no account. Never throws. */
  readonly failed: (email: string, clientAddress: string, detail?: string) => Promise<void>
}

export const SIGN_IN_PATH = '/sign-in/email'
const RESET_PATH = '/reset-password'
const VERIFY_CODE_PATH = '/two-factor/verify-totp'
const VERIFY_BACKUP_CODE_PATH = '/two-factor/verify-backup-code'

type Entry = readonly [action: AuditAction, detail: string | null]

const ENTRIES: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  [SIGN_IN_PATH, ['sign_in.succeeded', null]],
  ['/sign-out', ['sign_in.signed_out', null]],
  ['/change-password', ['password.changed', null]],
  [RESET_PATH, ['password.reset', null]],
  ['/revoke-sessions', ['session.ended', 'all']],
  ['/revoke-other-sessions', ['session.ended', 'all others']],
  ['/two-factor/disable', ['second_factor.turned_off', null]],
  ['/two-factor/generate-backup-codes', ['second_factor.backup_codes_created', null]],
])

/** The entries of a request that was successful. */
function entriesOf(path: string, subject: AuthSubject | null): readonly Entry[] {
  if (subject?.by === 'challenge') {
    if (path === VERIFY_CODE_PATH) return [['sign_in.succeeded', 'with a code']]
    if (path === VERIFY_BACKUP_CODE_PATH) {
      return [
        ['second_factor.backup_code_used', null],
        ['sign_in.succeeded', 'with a backup code'],
      ]
    }
  }
  if (path === VERIFY_CODE_PATH && subject?.by === 'session' && !subject.hasSecondFactor) {
    return [['second_factor.turned_on', null]]
  }
  const entry = ENTRIES.get(path)
  return entry === undefined ? [] : [entry]
}

export function signInAudit({ signIn, operations: { audit, people }, log }: SignInAuditDeps): SignInAudit {
  const record: SignInAudit['record'] = async (action, user, request, detail = null, only) => {
    const clientAddress = addressOf(request)
    const entry = { actor: userActor(user), clientAddress, action, target: user.id, detail }
    if (only === undefined) await audit.recordForUser(user.id, entry)
    else await audit.record({ accountId: only, ...entry })
  }

  /** In `accountId`, or the only account. A session of a user of several accounts has entered none until they choose one. */
  const recordEntered = async (
    action: 'sign_in.succeeded' | 'sign_in.signed_out',
    user: User,
    request: FastifyRequest,
    { accountId, detail }: { readonly accountId: string | null; readonly detail?: string | null },
  ) => {
    const entered = accountId === null ? await people.memberships(user.id) : [{ accountId }]
    const [only, ...others] = entered
    if (only !== undefined && others.length === 0) await record(action, user, request, detail, only.accountId)
  }
  const signedIn: SignInAudit['signedIn'] = (...call) => recordEntered('sign_in.succeeded', ...call)

  return {
    async subjectOf(path, { token }, cookie) {
      if (path === SIGN_IN_PATH) return null
      const users = await signIn()
      if (path === RESET_PATH) {
        const user = typeof token === 'string' ? await users.userOfPasswordReset(token) : null
        return user === null ? null : { user, by: 'reset_link', accountId: null, hasSecondFactor: false }
      }
      const { user, accountId, hasSecondFactor } = await users.sessionOf(cookie)
      if (user !== null) return { user, by: 'session', accountId, hasSecondFactor }
      const challenged = await users.challengedUser(cookie)
      return challenged === null
        ? null
        : { user: challenged, by: 'challenge', accountId: null, hasSecondFactor: true }
    },

    async done(path, user, subject, request) {
      if (user === null) return
      for (const [action, detail] of entriesOf(path, subject)) {
        if (action === 'sign_in.succeeded') await signedIn(user, request, { accountId: null, detail })
        else if (action === 'sign_in.signed_out')
          await recordEntered(action, user, request, { accountId: subject?.accountId ?? null, detail })
        else await record(action, user, request, detail)
      }
    },

    record,
    signedIn,

    async failed(email, clientAddress, detail) {
      const action = 'sign_in.failed'
      try {
        const user = await (await signIn()).userByEmail(email)
        if (user === null) return
        await audit.recordForUser(user.id, {
          actor: { kind: 'none', id: null, name: null },
          clientAddress,
          action,
          target: user.id,
          detail: detail === undefined ? user.email : `${user.email}, ${detail}`,
        })
      } catch (error) {
        log.error('audit.failed', { action, error })
      }
    },
  }
}
