import { ReceiverError } from './receiver-error.ts'

/** The byte array type of Web Crypto. */
export type Bytes = Uint8Array<ArrayBuffer>

const SECRET_PREFIX = 'whsec_'
/** Standard Webhooks requires 24 to 64 bytes; the service generates 32. */
const SECRET_BYTES_MIN = 24

/** `x-radar-signature` without its prefix: HMAC-SHA256 of the body, keyed with the bytes of the whole secret text. */
export function radarMac(secret: string, body: Bytes): Promise<Bytes> {
  decodedSecret(secret)
  return hmacSha256(utf8(secret), body)
}

/** One signature of `webhook-signature`: HMAC-SHA256 of id, timestamp and body, keyed with the decoded secret. */
export function standardMac(secret: string, id: string, timestamp: string, body: Bytes): Promise<Bytes> {
  return hmacSha256(decodedSecret(secret), joined(utf8(`${id}.${timestamp}.`), body))
}

async function hmacSha256(key: Bytes, data: Bytes): Promise<Bytes> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}

/** Compares in constant time. The length of a signature is not secret. */
export function isEqual(one: Bytes, other: Bytes): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}

/** Throws `invalid_secret` for an invalid secret. The message does not contain it. */
function decodedSecret(secret: string): Bytes {
  const bytes = secret.startsWith(SECRET_PREFIX) ? fromBase64(secret.slice(SECRET_PREFIX.length)) : null
  if (bytes !== null && bytes.length >= SECRET_BYTES_MIN) return bytes
  throw new ReceiverError(
    'invalid_secret',
    `A secret must be the complete secret of a hook: ${SECRET_PREFIX} and base64, without spaces or line breaks.`,
  )
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

export function toBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Null for invalid base64. */
export function fromBase64(text: string): Bytes | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return null
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function joined(one: Bytes, other: Bytes): Bytes {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}
