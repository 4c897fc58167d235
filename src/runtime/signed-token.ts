import { createPrivateKey, type KeyObject, sign } from 'node:crypto'

/** Keys of users and the JSON Web Tokens (RFC 7519) that they sign. */

type SigningKey = { readonly kind: 'ec' | 'rsa'; readonly key: KeyObject }

/** The key of a PEM text, or a sentence on what is wrong with it, without any of its text. */
export function signingKeyOf(pem: string, kind: SigningKey['kind']): SigningKey | string {
  const text = tidyPem(pem)
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

/**
 * A PEM text as people paste it, where the meaning is certain: out of a JSON file with the two characters \n instead of line ends, in
 * base64 as a secret of CI, on one line, or indented.
 */
function tidyPem(given: string): string {
  const text = unwrapped(given).replaceAll('\\r', '').replaceAll('\\n', '\n').trim()
  const [, label, base64] = /^-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----$/.exec(text) ?? []
  if (label === undefined || base64 === undefined) return text
  const lines = base64.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** The content of a key file without a byte order mark, and decoded if it is base64 of one. */
export function unwrapped(given: string): string {
  const text = given.replace(/^\uFEFF/, '').trim()
  if (!/^[A-Za-z0-9+/\s]+=*$/.test(text)) return text
  const decoded = Buffer.from(text, 'base64')
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  return /^(?:-----BEGIN |\{)/.test(decoded) ? decoded : text
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
