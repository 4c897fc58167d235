/**
 * The stored form of values, the same on both engines: instants are whole milliseconds since the epoch, hashes are 32 bytes,
 * structures are JSON text.
 */

export function msOf(at: Date): number {
  const ms = at.getTime()
  // An invalid date would be stored as NULL, which means "never".
  if (!Number.isFinite(ms)) throw new RangeError('an invalid date cannot be stored')
  return ms
}

export function msOrNull(at: Date | null): number | null {
  return at === null ? null : msOf(at)
}

export function dateOf(ms: number): Date {
  return new Date(ms)
}

export function dateOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}

/** The 32 bytes of a SHA-256 in lowercase hex. Throws for any other text, since a shorter key could collide. */
export function bytesOf(sha256Hex: string): Buffer {
  const bytes = Buffer.from(sha256Hex, 'hex')
  if (bytes.length !== 32 || sha256Hex.length !== 64) {
    throw new RangeError(`not a SHA-256 in hex: ${JSON.stringify(sha256Hex.slice(0, 80))}`)
  }
  return bytes
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

export function flagOf(value: boolean): 0 | 1 {
  return value ? 1 : 0
}

/** Parses JSON that this service wrote. The type is not checked. */
export function parsed<T>(json: string): T {
  return JSON.parse(json) as T
}

export function parsedOrNull<T>(json: string | null): T | null {
  return json === null ? null : parsed<T>(json)
}

/**
 * The stored key of a seen review: the first 16 bytes of its fingerprint, half of it, in hex. The probability of a collision among a
 * billion reviews of a feed is below 2e-21.
 */
export function seenKeyOf(fingerprint: string): string {
  return fingerprint.slice(0, 32)
}
