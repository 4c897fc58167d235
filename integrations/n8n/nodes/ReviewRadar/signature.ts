import { createHmac, timingSafeEqual } from 'node:crypto'

/** Requests that were signed longer ago, or further in the future, are rejected: they may be recorded ones. */
const TOLERANCE_S = 300

export type SignedRequest = {
  readonly headers: Readonly<Record<string, unknown>>
  /** The bytes as they arrived. */
  readonly body: Buffer
}

/**
 * Why the request is not from a hook with one of these secrets; null if it is. Verifies the headers of Standard Webhooks. During a rotation
 * the header has one signature for each valid secret.
 */
export function signatureProblem(
  { headers, body }: SignedRequest,
  secrets: readonly string[],
  nowMs: number,
): string | null {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'The request has no signature of Review Radar.'
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_S)
    return 'The request was not signed within the last five minutes. Check the clocks of both machines.'
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const given = signatures.split(' ')
  const isSigned = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    return given.some((one) => {
      const bytes = Buffer.from(one)
      return bytes.length === expected.length && timingSafeEqual(bytes, expected)
    })
  })
  return isSigned ? null : 'The signature is wrong.'
}
