import { isIP } from 'node:net'
import { z } from 'zod'
import { type SessionView, SetupBody, SignUpBody } from '../../contract/console/people.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AccountStorage } from '../../storage/port/accounts.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { Refusal } from '../errors.ts'
import { createAttemptLimit, tooManyAttempts } from './attempt-limit.ts'
import { createAccountWithOwner } from './create-account.ts'
import { type ConsoleCall, type ConsoleRoute, consoleRoute } from './route.ts'
import { isSetupCode } from './setup-code.ts'
import type { SignIn } from './sign-in.ts'

export type SessionDeps = {
  readonly signIn: () => Promise<SignIn>
  readonly accounts: Pick<AccountStorage, 'get'>
  readonly people: Pick<PeopleStorage, 'anyMember' | 'createAccount' | 'memberOf'>
  readonly clock: Clock
  readonly version: string
  readonly publicUrl: () => string
  /** The one-time code that the log shows while nobody can sign in. */
  readonly setupCode: () => Promise<string>
  readonly signup: 'closed' | 'open'
}

/** Failures in a row for one e-mail address, whoever tries; those from one address better-auth counts. */
const SIGN_IN_FAILURES_MAX = 10
const SETUP_FAILURES_MAX = 10
const FAILURES_WINDOW_MS = 15 * 60_000

/** Accounts one client may make, where everybody may. */
const SIGN_UPS_MAX = 5
const SIGN_UPS_WINDOW_MS = 3_600_000

/** All that signing in takes: nothing nested, which would have to be written out again. */
const AuthBody = z.record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]), {
  error: 'The body must be a JSON object of text, numbers, true, false and null.',
})

export function sessionRoutes(deps: SessionDeps): ConsoleRoute[] {
  const { people, accounts, clock } = deps
  const signIns = createAttemptLimit({ max: SIGN_IN_FAILURES_MAX, windowMs: FAILURES_WINDOW_MS, clock })
  const setups = createAttemptLimit({ max: SETUP_FAILURES_MAX, windowMs: FAILURES_WINDOW_MS, clock })
  const signUps = createAttemptLimit({ max: SIGN_UPS_MAX, windowMs: SIGN_UPS_WINDOW_MS, clock })

  return [
    consoleRoute({
      method: 'GET',
      path: '/session',
      access: 'anyone',
      async run({ request, reply }): Promise<SessionView> {
        const about = {
          version: deps.version,
          baseUrl: deps.publicUrl(),
          signupOpen: deps.signup === 'open',
        }
        const nobody = { ...about, user: null, account: null, role: null, operator: false }
        const { cookie } = request.headers
        if (cookie !== undefined) {
          const { user, setCookies } = await (await deps.signIn()).sessionOf(cookie)
          if (setCookies.length > 0) reply.header('set-cookie', setCookies)
          const member = user === null ? null : await people.memberOf(user.id)
          const account = member === null ? null : await accounts.get(member.accountId)
          if (user !== null && member !== null && account !== null) {
            const { role, operator } = member
            return {
              ...about,
              setupNeeded: false,
              user,
              account: { id: account.id, name: account.name },
              role,
              operator,
            }
          }
        }
        return { ...nobody, setupNeeded: !(await people.anyMember()) }
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/setup',
      access: 'anyone',
      body: SetupBody,
      async run(call) {
        if (await people.anyMember()) throw setupDone()
        setups.attempt(addressOf(call))
        if (!isSetupCode(call.body.code, await deps.setupCode())) {
          throw new Refusal(
            'forbidden',
            'The code is wrong. It is in the log of the service, printed at its start.',
          )
        }
        await makeAccount(call, call.body, { operator: true, onlyFirst: true })
        setups.succeeded(addressOf(call))
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/signup',
      access: 'anyone',
      body: SignUpBody,
      async run(call) {
        if (deps.signup === 'closed') {
          throw new Refusal('forbidden', 'New accounts are made by invitation only.')
        }
        signUps.attempt(addressOf(call))
        await makeAccount(call, call.body, { operator: false, onlyFirst: false })
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/auth/*',
      access: 'anyone',
      body: AuthBody,
      async run(call) {
        const { request, reply, body } = call
        const path = `/${call.param('*')}`
        const email = path === '/sign-in/email' ? emailOf(body) : null
        if (email !== null) signIns.attempt(email)
        const answer = await (await deps.signIn()).answer({
          path,
          body,
          cookie: request.headers.cookie,
          clientAddress: addressOf(call),
          userAgent: request.headers['user-agent'] ?? '',
        })
        if (answer.retryAfterS !== null) throw tooManyAttempts(answer.retryAfterS)
        if (answer.setCookies.length > 0) reply.header('set-cookie', answer.setCookies)
        if (answer.error !== null) return reply.code(answer.status).send({ error: answer.error })
        if (email !== null) signIns.succeeded(email)
        return {}
      },
    }),
  ]

  async function makeAccount(
    { reply }: Pick<ConsoleCall<unknown, unknown, null>, 'reply'>,
    body: z.infer<typeof SignUpBody>,
    options: { readonly operator: boolean; readonly onlyFirst: boolean },
  ): Promise<void> {
    const signIn = await deps.signIn()
    const made = await createAccountWithOwner({ signIn, people, clock }, body, {
      ...options,
      accountName: body.accountName || body.name,
    })
    if (!made.ok) throw made.why === 'taken' ? addressTaken() : setupDone()
    reply.header('set-cookie', await signIn.open(body))
  }
}

export function addressTaken(): Refusal {
  return new Refusal('conflict', 'A user with this e-mail address exists already. Sign in with it.')
}

/**
 * The address that an attempt counts against: the peer's, or the one that a trusted proxy names. When that is not an IP
 * address, the proxy's own counts.
 */
export function addressOf({ request }: Pick<ConsoleCall<unknown, unknown, null>, 'request'>): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip
}

function setupDone(): Refusal {
  return new Refusal('conflict', 'The setup was done already. Sign in.')
}

/** As users are told apart: without case. */
function emailOf(body: { readonly [name: string]: unknown }): string | null {
  return typeof body.email === 'string' ? body.email.trim().toLowerCase().slice(0, 254) : null
}
