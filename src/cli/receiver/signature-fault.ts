import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { radarSignature, standardSignature } from '../../model/signature.ts'

/**
 * The error in the signature of a request, as a sentence for the author of a receiver; null when it is valid. The
 * signature is `x-radar-signature`: the HMAC of the raw bytes with the complete secret as key (docs/contract.md). The
 * other checks only distinguish common errors.
 */
export function signatureFault(
  request: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
  secret: string,
): string | null {
  const { headers, body } = request
  const given = headers['x-radar-signature']
  if (typeof given !== 'string' || given === '') return 'The header x-radar-signature is missing.'
  if (!/^sha256=[0-9a-f]{64}$/.test(given)) {
    return 'The header x-radar-signature is not "sha256=" and 64 lowercase hex digits.'
  }
  if (isEqual(given, radarSignature(secret, body))) return null
  const compact = compactJson(body)
  if (compact !== null && isEqual(given, radarSignature(secret, compact))) {
    return 'The body was parsed and serialized again: it has the same JSON but different bytes. Verify the raw bytes.'
  }
  if (isValidStandardSignature(headers, body, secret)) {
    return 'The request was signed with a newer secret of the hook: the secret was rotated.'
  }
  return 'The signature does not match: another secret was used, or the body was changed in transit.'
}

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The body in the JSON form of the service; null when it is not JSON. */
function compactJson(body: Buffer): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'))))
  } catch {
    return null
  }
}

/** `webhook-signature` has one signature for each valid secret, including older ones during their overlap. */
function isValidStandardSignature(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const wanted = standardSignature(
    secret,
    String(headers['webhook-id']),
    String(headers['webhook-timestamp']),
    body,
  )
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .some((given) => isEqual(given, wanted))
}
