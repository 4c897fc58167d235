import { randomBytes } from 'node:crypto'
import { radarSignature, SECRET_PREFIX, standardSignature } from '../../model/signature.ts'

/** Standard Webhooks asks for 24 to 64 bytes of secret. */
const SECRET_BYTES = 32

/** The headers whose values let a reader forge requests: masked in stored attempts. */
export const SIGNATURE_HEADERS: readonly string[] = ['x-radar-signature', 'webhook-signature']

/** A signing secret as its receiver gets it: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The headers that authenticate a request. `secrets` are those in force, current first, at least one: the current one signs
 * `x-radar-signature`, and every one signs `webhook-signature`, so that receivers may switch at any moment of the overlap.
 * The id is the same for every attempt; the time is the attempt's.
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
    'x-radar-signature': radarSignature(current, body),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => standardSignature(secret, eventId, timestamp, body))
      .join(' '),
  }
}
