import { hash } from 'node:crypto'

/**
 * SHA-256, lowercase hex, over an unambiguous encoding of `parts`: each part is preceded by its length in UTF-8 bytes, so `['a|b', 'c']`
 * and `['a', 'b|c']` differ (docs/contract.md, Identity). The first part should name the kind of the hashed object.
 */
export function hashOf(parts: readonly string[]): string {
  let encoded = ''
  // Lone surrogates become U+FFFD here and in the sent UTF-8 bytes, so identity matches the sent text. Surrogates of two parts never form a
  // pair, because a length is between them.
  for (const part of parts) encoded += `${Buffer.byteLength(part)}:${part}`
  return hash('sha256', encoded)
}
