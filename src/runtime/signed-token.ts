import { createPrivateKey, type KeyObject, sign } from 'node:crypto'

/** Keys of users and the JSON Web Tokens (RFC 7519) that they sign. */

type SigningKey = { readonly kind: 'ec' | 'rsa'; readonly key: KeyObject }

/** The key of a PEM text, or a sentence on what is wrong with it, without any of its text. */
export function signingKeyOf(pem: string, kind: SigningKey['kind']): SigningKey | string {
  // A key copied out of a JSON file has the two characters \n instead of line ends.
  const text = pem.replaceAll('\\r', '').replaceAll('\\n', '\n').trim()
  if (!text.startsWith('-----BEGIN ')) {
    return 'The private key is not in PEM format, which starts with "-----BEGIN PRIVATE KEY-----".'
  }
  if (/^-----BEGIN (?:[A-Z]+ )*PUBLIC KEY-----|^-----BEGIN CERTIFICATE-----/.test(text)) {
    return 'This is a public key or a certificate. The private key is required.'
  }
  if (text.includes('ENCRYPTED'))
    return 'The private key is encrypted with a password. Use the file as downloaded from the store.'
  let key: KeyObject
  try {
    key = createPrivateKey(text)
  } catch {
    return 'The private key cannot be read: a part of the file is missing or changed. Copy the whole file.'
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (kind === 'ec') {
    if (type === 'ec' && details?.namedCurve === 'prime256v1') return { kind, key }
    return `The private key has the type ${nameOf(type, details?.namedCurve)}. A key of the type EC P-256 is required.`
  }
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= RSA_BITS_MIN) return { kind, key }
  return `The private key has the type ${nameOf(type, details?.namedCurve)}. An RSA key of ${RSA_BITS_MIN} bits or more is required.`
}

const RSA_BITS_MIN = 2048

function nameOf(type: string | undefined, curve: string | undefined): string {
  return [type ?? 'unknown', curve].filter((part) => part !== undefined).join(' ')
}

/** A signed token: ES256 for an EC key, RS256 for an RSA key. */
export function signedToken(
  { kind, key }: SigningKey,
  header: Readonly<Record<string, string>>,
  claims: Readonly<Record<string, string | number>>,
): string {
  const alg = kind === 'ec' ? 'ES256' : 'RS256'
  const input = `${encoded({ alg, typ: 'JWT', ...header })}.${encoded(claims)}`
  // RFC 7518 3.4: the signature is r and s, 64 bytes, not the DER form that is the default.
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
