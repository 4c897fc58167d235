/**
 * The stored key of a seen review: the first 16 bytes of its fingerprint. 128 bits keep the chance of one collision among a
 * billion reviews of a feed below 2e-21, at half the bytes.
 */
const SEEN_KEY_BYTES = 16

/** In hex, like the fingerprint. */
export function seenKeyOf(fingerprint: string): string {
  return fingerprint.slice(0, SEEN_KEY_BYTES * 2)
}
