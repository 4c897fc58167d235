import { randomBytes } from 'node:crypto'
import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import { json } from '../official/fault-answer.ts'
import { readToken, timesOf } from '../official/verify-token.ts'
import type { World } from '../world.ts'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const AUDIENCE = 'https://oauth2.googleapis.com/token'
const SCOPES = [
  'https://www.googleapis.com/auth/androidpublisher',
  'https://www.googleapis.com/auth/devstorage.read_only',
]
const TOKEN_SECONDS = 3_599
/** "Reasonable": the assertion may be issued a little in the future. */
const SKEW_SECONDS_MAX = 300

/** `POST /token`: an access token for a signed assertion of a service account. */
export function tokenAnswer(world: World, request: SimulatedRequest, at: Date): SimulatedAnswer {
  const form = new URLSearchParams(request.body)
  if (form.get('grant_type') !== GRANT_TYPE)
    return oauthError(400, 'unsupported_grant_type', 'Unknown grant type.')
  const token = readToken(form.get('assertion') ?? '')
  const times = token === null ? null : timesOf(token)
  if (token === null || times === null) return oauthError(400, 'invalid_grant', 'Invalid JWT.')
  const { claims } = token
  const account = typeof claims.iss === 'string' ? world.official.serviceAccount(claims.iss) : null
  if (account === null) return oauthError(400, 'invalid_grant', 'Invalid grant: account not found')
  const hasKey = token.header.kid === undefined || token.header.kid === account.privateKeyId
  if (!hasKey || !token.isSignedBy(account.publicKey)) {
    return oauthError(400, 'invalid_grant', 'Invalid JWT Signature.')
  }
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ') : []
  const isAllowed = scopes.length > 0 && scopes.every((scope) => SCOPES.includes(scope))
  // A subject asks for the rights of a user, which needs a delegation of the domain.
  if (claims.aud !== AUDIENCE || !isAllowed || claims.sub !== undefined) {
    return oauthError(401, 'unauthorized_client', 'Unauthorized client or scope in request.')
  }
  const now = at.getTime() / 1000
  const { issuedAt, expiresAt } = times
  const isTimely =
    issuedAt <= now + SKEW_SECONDS_MAX &&
    expiresAt > now &&
    expiresAt - issuedAt <= 3_600 &&
    expiresAt - now <= 3_900
  if (!isTimely) {
    return oauthError(
      400,
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.',
    )
  }
  const accessToken = `ya29.${randomBytes(24).toString('base64url')}`
  const until = new Date(at.getTime() + TOKEN_SECONDS * 1000)
  world.official.addGrant(accessToken, { account, scopes, expiresAt: until })
  return json(200, { access_token: accessToken, expires_in: TOKEN_SECONDS, token_type: 'Bearer' })
}

/** RFC 6749 5.2, another form than that of the API. */
export function oauthError(status: number, error: string, description: string): SimulatedAnswer {
  return json(status, { error, error_description: description })
}
