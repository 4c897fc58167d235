/**
 * Takes out what may identify a person or lead somewhere: runs of five digits and more, also parted by blanks or hyphens, beginnings of
 * links, signs of handles. Whole addresses are out already.
 */
export function redact(text: string): string {
  return text
    .replace(/https?:|[@#]/giu, ' ')
    .replace(/\d(?:[ -]{0,3}\d){4,40}/gu, '...')
    .replace(/\s+/gu, ' ')
}

/** The text without accents and typographic marks; null when it holds letters or signs of other scripts. */
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
