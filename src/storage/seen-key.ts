/**
 * What is kept of a fingerprint to know a review again: its first 16 bytes. 128 bits keep the chance of one mistaken
 * pair among a billion reviews of a feed below 2e-21, at half the bytes.
 */
const SEEN_KEY_BYTES = 16

/** In hex, as the fingerprint is. */
export function seenKeyOf(fingerprint: string): string {
  return fingerprint.slice(0, SEEN_KEY_BYTES * 2)
}
