/**
 * Removes personal data and links: words with `@` inside, runs of five or more digits, also with spaces or hyphens between them, link
 * schemes, `@` and `#`. `normalize` has already removed whole links, and e-mail addresses with a dot.
 */
export function redact(text: string): string {
  return text
    .replace(/[^\s@]{1,64}@[^\s@]{1,64}/gu, ' ')
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
