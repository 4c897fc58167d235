import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../runtime/clock.ts'
import type { AccountStorage, Token } from '../storage/port/accounts.ts'
import { Refusal } from './errors.ts'
import { TOKEN_PREFIX, tokenHash } from './token.ts'

export type AuthDeps = { readonly accounts: Pick<AccountStorage, 'tokenOf'>; readonly clock: Clock }

/** Longer than any token we make; spares hashing what cannot be one. */
const TOKEN_CHARS_MAX = 256

/**
 * The token of a request, from `Authorization: Bearer` or `X-API-Key` (specification 5.1). With both, the first that
 * is valid counts. Throws the refusal 401, the same for a missing, malformed, unknown or revoked token.
 */
export async function authenticate(headers: IncomingHttpHeaders, deps: AuthDeps): Promise<Token> {
  for (const value of presented(headers)) {
    if (!value.startsWith(TOKEN_PREFIX) || value.length > TOKEN_CHARS_MAX) continue
    const token = await deps.accounts.tokenOf(tokenHash(value), deps.clock.now())
    if (token !== null) return token
  }
  throw new Refusal(
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
