/**
 * The stored key of a seen review: the first 16 bytes of its fingerprint, half of it. The probability of a collision
 * among a billion reviews of a feed is below 2e-21.
 */
const SEEN_KEY_BYTES = 16

/** In hex, like the fingerprint. */
export function seenKeyOf(fingerprint: string): string {
  return fingerprint.slice(0, SEEN_KEY_BYTES * 2)
}
