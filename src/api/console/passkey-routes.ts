import { z } from 'zod'
import {
  AddPasskeyBody,
  PasskeyNameBody,
  PasskeyResponseBody,
  type PasskeyView,
} from '../../contract/console/people.ts'
import type { Passkey } from '../../operations/accounts/users.ts'
import { type AttemptLimitDeps, createAttemptLimit } from '../../operations/attempt-limit.ts'
import type { Operations } from '../../operations/operations.ts'
import { networkOf } from '../../runtime/network.ts'
import type { Sealer } from '../../runtime/seal.ts'
import { addressOf } from '../client-address.ts'
import { ApiError } from '../errors.ts'
import { type Route, route } from '../route.ts'
import type { PasskeyProtocol } from './passkey-protocol.ts'
import { sealedCookie } from './sealed-cookie.ts'
import { type SignInAuditDeps, signInAudit } from './sign-in-audit.ts'

export type PasskeyRouteDeps = SignInAuditDeps &
  AttemptLimitDeps & {
    readonly operations: Pick<Operations, 'audit' | 'passkeys' | 'people'>
    readonly sealer: Pick<Sealer, 'seal' | 'open'>
    readonly passkeyProtocol: () => Promise<PasskeyProtocol>
    readonly publicUrl: () => string
  }

/** The time for the dialog of the browser. */
const CHALLENGE_S = 5 * 60

export function passkeyRoutes(deps: PasskeyRouteDeps): Route[] {
  const { passkeyProtocol } = deps
  const audit = signInAudit(deps)
  const signIns = createAttemptLimit(deps, 'sign_in')
  const failures = createAttemptLimit(deps, 'sign_in_failure')
  // Two cookies: a challenge for one purpose must not serve the other.
  const challengeCookie = (name: string) =>
    sealedCookie(
      { name, path: '/api/console', maxAgeS: CHALLENGE_S, sameSite: 'Strict', schema: z.string() },
      deps,
    )
  const adding = challengeCookie('radar.new_passkey')
  const signing = challengeCookie('radar.passkey')

  return [
    route({
      method: 'GET',
      path: '/passkeys',
      run: async ({ caller }) =>
        (await passkeyProtocol()).isAvailable()
          ? (await deps.operations.passkeys.list(caller.user.id)).map(presentPasskey)
          : null,
    }),

    route({
      method: 'GET',
      path: '/passkeys/options',
      async run({ caller, reply }) {
        const { passkeys } = deps.operations
        await passkeys.checkAdd(caller.user.id, caller.sessionId)
        const existing = await passkeys.list(caller.user.id)
        const options = await (await passkeyProtocol()).optionsToAdd(caller.user, existing)
        reply.header('set-cookie', adding.set(`${caller.user.id} ${options.challenge}`))
        return options
      },
    }),

    route({
      method: 'POST',
      path: '/passkeys',
      viewersToo: true,
      body: AddPasskeyBody,
      async run({ caller, body, request, reply }) {
        const [userId, challenge] = (adding.read(request.headers.cookie) ?? '').split(' ')
        reply.header('set-cookie', adding.clear())
        if (challenge === undefined || userId !== caller.user.id) throw expired()
        const added = await (await passkeyProtocol()).verifyAdded(body.response, challenge)
        if (added === null) throw new ApiError('invalid', 'The browser returned an invalid passkey.')
        return presentPasskey(
          await deps.operations.passkeys.add(caller.user.id, caller.sessionId, { ...added, name: body.name }),
        )
      },
    }),

    route({
      method: 'PATCH',
      path: '/passkeys/:id',
      viewersToo: true,
      body: PasskeyNameBody,
      run: async ({ caller, param, body }) =>
        presentPasskey(await deps.operations.passkeys.rename(caller.user.id, param('id'), body.name)),
    }),

    route({
      method: 'DELETE',
      path: '/passkeys/:id',
      viewersToo: true,
      run: ({ caller, param }) => deps.operations.passkeys.remove(caller.user.id, param('id')),
    }),

    route({
      method: 'GET',
      path: '/passkey-sign-in',
      access: 'anyone',
      async run({ request, reply }) {
        await signIns.attempt(networkOf(addressOf(request)), 'passkey')
        const protocol = await passkeyProtocol()
        if (!protocol.isAvailable()) {
          throw new ApiError(
            'conflict',
            'Passkeys need a host name, but this console was opened by its IP address.',
          )
        }
        const options = await protocol.optionsToSignIn()
        reply.header('set-cookie', signing.set(options.challenge))
        return options
      },
    }),

    route({
      method: 'POST',
      path: '/passkey-sign-in',
      access: 'anyone',
      body: PasskeyResponseBody,
      async run({ body, request, reply }) {
        const clientAddress = addressOf(request)
        const network = networkOf(clientAddress)
        await signIns.attempt(network, 'passkey')
        const challenge = signing.read(request.headers.cookie)
        const cookies = [signing.clear()]
        reply.header('set-cookie', cookies)
        if (challenge === null) throw expired()
        const protocol = await passkeyProtocol()
        const users = await deps.signIn()
        const credentialId = protocol.credentialIdOf(body.response)
        const found = credentialId === null ? null : await users.passkeyOf(credentialId)
        if (found === null || (await deps.operations.people.memberships(found.user.id)).length === 0)
          throw unknown()
        // The browser keeps the challenge: deleting the cookie does not make it single-use. Counters do not either: many devices have none.
        if (!(await users.claimChallenge(challenge))) throw expired()
        const { passkey, user } = found
        await failures.attempt(network, user.id)
        const counter = await protocol.verifySignIn(body.response, challenge, passkey)
        if (counter === null) {
          await audit.failed(user.email, clientAddress, 'wrong passkey')
          throw unknown()
        }
        await failures.succeeded(network, user.id)
        await users.usedPasskey(passkey.id, counter)
        await audit.signedIn(user, request, { accountId: null, detail: `with the passkey ${passkey.name}` })
        const userAgent = request.headers['user-agent'] ?? ''
        for (const cookie of await users.openFor(user.id, null, { clientAddress, userAgent })) {
          reply.header('set-cookie', cookie)
        }
      },
    }),
  ]
}

function presentPasskey({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

function expired(): ApiError {
  return new ApiError('invalid', 'The passkey request has expired. Try again.')
}

function unknown(): ApiError {
  return new ApiError('unauthorized', 'This passkey is not registered here. Sign in with your password.')
}
