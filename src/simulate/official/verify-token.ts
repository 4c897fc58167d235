import { type KeyObject, verify } from 'node:crypto'

/** Verification of JSON Web Tokens (RFC 7519) as the stores do it. */

export type Token = {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  readonly isSignedBy: (publicKey: KeyObject) => boolean
}

/** Null when the text is not a signed token. */
export function readToken(text: string): Token | null {
  const [header = '', claims = '', signature = '', ...rest] = text.split('.')
  const [headerJson, claimsJson] = [jsonOf(header), jsonOf(claims)]
  if (rest.length > 0 || headerJson === null || claimsJson === null) return null
  return {
    header: headerJson,
    claims: claimsJson,
    isSignedBy: (key) => {
      const isEc = key.asymmetricKeyType === 'ec'
      if (headerJson.alg !== (isEc ? 'ES256' : 'RS256')) return false
      const bytes = Buffer.from(signature, 'base64url')
      return verify('sha256', Buffer.from(`${header}.${claims}`), { key, dsaEncoding: 'ieee-p1363' }, bytes)
    },
  }
}

function jsonOf(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** The times of a token in seconds since 1970; null when they are missing. */
export function timesOf({ claims }: Token): { readonly issuedAt: number; readonly expiresAt: number } | null {
  const { iat, exp } = claims
  return typeof iat === 'number' && typeof exp === 'number' ? { issuedAt: iat, expiresAt: exp } : null
}
