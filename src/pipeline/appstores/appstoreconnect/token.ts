import type { Clock } from '../../../runtime/clock.ts'
import { signedToken, signingKeyOf } from '../../../runtime/signed-token.ts'
import { failed } from '../official/failure.ts'
import { type TokenCache, tokenKeyOf } from '../official/token-cache.ts'
import type { AppStoreConnectCredentials, CredentialField, OfficialFailure } from '../official.ts'

/**
 * Apple refuses a lifetime above 20 minutes, an expiry above 20 minutes of its own clock, and an issue time in its
 * future. These times leave a minute in one direction and five in the other.
 */
const ISSUED_BEFORE_SECONDS = 60
const EXPIRES_AFTER_SECONDS = 15 * 60
/** A token is renewed before it expires. */
const USED_MS = 12 * 60_000

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type AscToken = { readonly kind: 'token'; readonly token: string; readonly cacheKey: string }

/** A token of these credentials, signed here. Nothing is requested. */
export function tokenOf(
  tokens: TokenCache,
  clock: Pick<Clock, 'now'>,
  credentials: AppStoreConnectCredentials,
): AscToken | OfficialFailure {
  const { issuerId, keyId, privateKey } = credentials
  const cacheKey = tokenKeyOf(['appstoreconnect', issuerId, keyId, privateKey])
  const known = tokens.get(cacheKey)
  if (known !== null) return { kind: 'token', token: known, cacheKey }
  if (issuerId !== null && !UUID.test(issuerId)) {
    return invalid(
      'issuer_id',
      'The issuer id is not a UUID. It is shown above the list of keys in App Store Connect → Users and Access → Integrations. An individual key has none.',
    )
  }
  if (!/^[A-Z0-9]{4,20}$/i.test(keyId)) {
    return invalid(
      'key_id',
      'This is not an App Store Connect key id, which has ten letters and digits, as in the file name AuthKey_<key id>.p8.',
    )
  }
  const key = signingKeyOf(privateKey, 'ec')
  if (typeof key === 'string') return invalid('private_key', key)
  const now = Math.floor(clock.now().getTime() / 1000)
  const subject: Readonly<Record<string, string>> = issuerId === null ? { sub: 'user' } : { iss: issuerId }
  const token = signedToken(
    key,
    { kid: keyId },
    {
      ...subject,
      iat: now - ISSUED_BEFORE_SECONDS,
      exp: now + EXPIRES_AFTER_SECONDS,
      aud: 'appstoreconnect-v1',
    },
  )
  tokens.put(cacheKey, token, USED_MS)
  return { kind: 'token', token, cacheKey }
}

function invalid(field: CredentialField, detail: string): OfficialFailure {
  return failed('invalid_credentials', detail, { field })
}
