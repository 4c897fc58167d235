import { signedToken, signingKeyOf } from '../../../runtime/signed-token.ts'
import { clockDifference } from '../official/clock-difference.ts'
import { failed, quoted } from '../official/failure.ts'
import { changedAnswer, jsonOf, retryAfterOf, send } from '../official/send.ts'
import { tokenKeyOf } from '../official/token-cache.ts'
import type { GooglePlayCredentials, OfficialContext, OfficialFailure } from '../official.ts'
import { recordOf } from '../parsed.ts'
import { type GooglePlayState, OAUTH } from './deps.ts'

/** Access tokens of a service account (RFC 7523): an assertion that it signs, for a token of about an hour. */

export const REVIEWS_SCOPE = 'https://www.googleapis.com/auth/androidpublisher'
export const STORAGE_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only'

/** The audience is Google's address, even if another one is configured, e.g. that of a proxy. */
const AUDIENCE = 'https://oauth2.googleapis.com/token'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ISSUED_BEFORE_SECONDS = 60
const EXPIRES_AFTER_SECONDS = 50 * 60
/** A token is renewed this long before it ends. */
const RENEWED_BEFORE_MS = 5 * 60_000

export type GoogleToken = { readonly kind: 'token'; readonly token: string; readonly cacheKey: string }

export async function tokenOf(
  deps: GooglePlayState,
  credentials: GooglePlayCredentials,
  scope: string,
  context: OfficialContext,
): Promise<GoogleToken | OfficialFailure> {
  const { clientEmail, privateKeyId, privateKey } = credentials
  const cacheKey = tokenKeyOf(['googleplay-developer', clientEmail, privateKeyId, privateKey, scope])
  const known = deps.tokens.get(cacheKey)
  if (known !== null) return { kind: 'token', token: known, cacheKey }
  const key = signingKeyOf(privateKey, 'rsa')
  if (typeof key === 'string') return failed('invalid_credentials', key, { field: 'service_account' })
  const now = Math.floor(deps.clock.now().getTime() / 1000)
  const assertion = signedToken(key, privateKeyId === null ? {} : { kid: privateKeyId }, {
    iss: clientEmail,
    scope,
    aud: AUDIENCE,
    iat: now - ISSUED_BEFORE_SECONDS,
    exp: now + EXPIRES_AFTER_SECONDS,
  })
  const answer = await send(
    deps,
    {
      api: OAUTH,
      method: 'POST',
      url: `${deps.oauthUrl}/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion }).toString(),
    },
    context,
  )
  if (answer.kind === 'failed') {
    // A token that was issued and lost changes nothing.
    const { mayHaveApplied: _, ...failure } = answer
    return failure
  }
  const body = recordOf(jsonOf(answer))
  if (answer.status === 200) {
    const token = body?.access_token
    const expiresIn = body?.expires_in
    if (typeof token !== 'string' || token === '' || typeof expiresIn !== 'number') {
      // The raw answer may have the token under another name, so it is not kept.
      return failed('changed', `The response from ${OAUTH} has no access token.`, { status: 200 })
    }
    deps.tokens.put(cacheKey, token, Math.max(0, expiresIn * 1000 - RENEWED_BEFORE_MS))
    return { kind: 'token', token, cacheKey }
  }
  if (answer.status === 429) {
    const detail = `${OAUTH} limits the requests.`
    return failed('rate_limited', detail, {
      status: 429,
      retryAfterMs: retryAfterOf(answer.headers) ?? 60_000,
    })
  }
  return typeof body?.error === 'string'
    ? refused(deps, credentials, body, answer)
    : changedAnswer(OAUTH, `it has status ${answer.status}`, answer)
}

/** `{error, error_description}` (RFC 6749 5.2), another form than that of the API. */
function refused(
  deps: GooglePlayState,
  { clientEmail }: GooglePlayCredentials,
  body: Readonly<Record<string, unknown>>,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): OfficialFailure {
  const description = typeof body.error_description === 'string' ? body.error_description : ''
  const more = { status: answer.status, field: 'service_account' as const }
  const clock = clockDifference(answer.headers, deps.clock.now(), 'Google')
  const isTime = /reasonable timeframe|short-lived/i.test(description)
  if (isTime || (clock !== null && body.error === 'invalid_grant')) {
    const sentence = clock ?? 'Set the clock of this machine, e.g. with NTP.'
    return failed('clock_skew', `Google rejected the service account because of the time. ${sentence}`, {
      status: answer.status,
    })
  }
  if (body.error === 'invalid_grant' || body.error === 'invalid_client') {
    const reason = /signature/i.test(description)
      ? 'Its key was deleted, or the private key belongs to another account'
      : 'The account or its key was deleted or disabled'
    return failed(
      'unauthorized',
      `Google rejected the service account ${clientEmail}. ${reason}. Create a new key in the Google Cloud console.`,
      more,
    )
  }
  const said = quoted(description === '' ? String(body.error) : description)
  return failed('unauthorized', `Google rejected the service account ${clientEmail}: ${said}`, more)
}
