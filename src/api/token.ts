import { createHash, randomBytes } from 'node:crypto'

/** Specification 5.2. */
export const TOKEN_PREFIX = 'rsk_'

/** Chosen: as many random bits as a signing secret. */
const TOKEN_BYTES = 32

/** A new API token; whoever makes it shows it once and keeps only its hash. */
export function newTokenValue(): string {
  return TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
}

/** SHA-256, lowercase hex: all that is kept of a token (specification 5.5). Enough, since a token is random. */
export function tokenHash(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
