import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operations } from '../operations/operations.ts'
import { TOKEN_PREFIX, type Token } from '../operations/tokens.ts'
import { networkOf } from '../runtime/network.ts'
import { addressOf } from './client-address.ts'
import { ApiError } from './errors.ts'
import type { Member } from './route.ts'
import { CONSOLE_HEADER } from './same-site.ts'
import { type GuardedSessionDeps, memberOf } from './session.ts'

export type TokenDeps = { readonly operations: Pick<Operations, 'tokens'> }
export type AuthDeps = TokenDeps & GuardedSessionDeps

/**
 * The token of a request, from `Authorization: Bearer` or `X-API-Key`. With both, the first valid one counts. Throws 401,
 * the same for a missing, malformed, unknown, expired or revoked token.
 */
export async function tokenOf(request: FastifyRequest, deps: TokenDeps): Promise<Token> {
  for (const value of presented(request.headers)) {
    const token = await deps.operations.tokens.find(value, networkOf(addressOf(request)))
    if (token !== null) return token
  }
  throw new ApiError(
    'unauthorized',
    request.headers[CONSOLE_HEADER] === undefined
      ? 'A valid API token is required: send it as "Authorization: Bearer rsk_…" or "X-API-Key: rsk_…".'
      : 'You are not signed in.',
    { 'www-authenticate': 'Bearer realm="Review Radar"' },
  )
}

/**
 * The caller of the REST API: of its token, else of the console's session. A request with a token never uses a session, also if the token
 * is invalid.
 */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AuthDeps,
): Promise<Token | Member> {
  const member = presented(request.headers).length === 0 ? await memberOf(request, reply, deps) : null
  return member ?? tokenOf(request, deps)
}

/** The tokens of a request. Another credential is the business of a proxy before the service. */
function presented(headers: IncomingHttpHeaders): string[] {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  const key = headers['x-api-key']
  const values = [bearer, typeof key === 'string' ? key.trim() : undefined]
  return values.filter((value): value is string => value?.startsWith(TOKEN_PREFIX) === true)
}
