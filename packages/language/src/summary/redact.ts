/**
 * Removes personal data and links: runs of five or more digits, also with spaces or hyphens between them, link schemes, `@` and `#`.
 * `normalize` has already removed e-mail addresses and whole links.
 */
export function redact(text: string): string {
  return text
    .replace(/https?:|[@#]/giu, ' ')
    .replace(/\d(?:[ -]{0,3}\d){4,40}/gu, '...')
    .replace(/\s+/gu, ' ')
}

/** The text without accents, typographic marks and emoji; null when it contains other scripts. */
export function inAscii(text: string): string | null {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‐-―]/gu, '-')
    .replace(/[‹›]/gu, "'")
    .replace(/\p{Extended_Pictographic}/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  return /^[\x20-\x7e€£¥₹]+$/u.test(plain) ? plain : null
}
