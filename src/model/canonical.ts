import { createHash } from 'node:crypto'

/**
 * SHA-256, lowercase hex, over an unambiguous encoding of `parts`: each part is preceded by its length in UTF-8
 * bytes, so `['a|b', 'c']` and `['a', 'b|c']` differ (DESIGN 5.2). The first part should name what is hashed.
 */
export function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) {
    // Lone surrogates become U+FFFD here and in every UTF-8 byte we send, so identity follows what is sent.
    const bytes = Buffer.from(part, 'utf8')
    hash.update(`${bytes.length}:`)
    hash.update(bytes)
  }
  return hash.digest('hex')
}
