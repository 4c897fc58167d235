import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { TOKEN_PREFIX, tokenHash } from '../operations/tokens.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AccountStorage, Token } from '../storage/port/accounts.ts'
import { addressOf, networkOf } from './client-address.ts'
import { ApiError } from './errors.ts'

export type AuthDeps = { readonly accounts: Pick<AccountStorage, 'tokenOf'>; readonly clock: Clock }

/** Longer than any token; a longer value is not hashed. */
const TOKEN_CHARS_MAX = 256

/**
 * The token of a request, from `Authorization: Bearer` or `X-API-Key`. With both, the first valid one counts. Throws 401,
 * the same for a missing, malformed, unknown, expired or revoked token.
 */
export async function authenticate(request: FastifyRequest, deps: AuthDeps): Promise<Token> {
  for (const value of presented(request.headers)) {
    if (!value.startsWith(TOKEN_PREFIX) || value.length > TOKEN_CHARS_MAX) continue
    const token = await deps.accounts.tokenOf(
      tokenHash(value),
      deps.clock.now(),
      networkOf(addressOf(request)),
    )
    if (token !== null) return token
  }
  throw new ApiError(
    'unauthorized',
    'A valid API token is required: send it as "Authorization: Bearer rsk_…" or "X-API-Key: rsk_…".',
    { 'www-authenticate': 'Bearer realm="Review Radar"' },
  )
}

function presented(headers: IncomingHttpHeaders): string[] {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  const key = headers['x-api-key']
  return [bearer, typeof key === 'string' ? key.trim() : undefined].filter((value) => value !== undefined)
}
