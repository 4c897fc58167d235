import { CJK, type Token } from './segments.ts'

/**
 * The tokens as written, at most `charsMax` UTF-16 units, never ending in half a surrogate pair, which PostgreSQL refuses.
 * `isParted` puts a space between all tokens, for tokens that were not adjacent; otherwise spaces stay as in the text.
 */
export function written(tokens: readonly Token[], charsMax: number, isParted = false): string {
  return tokens
    .map(({ surface, spaced }) => (spaced || isParted ? ` ${surface}` : surface))
    .join('')
    .trim()
    .slice(0, charsMax)
    .replace(/\p{Surrogate}$/u, '')
}

const CJK_SIGN = new RegExp(`^[${CJK}]$`, 'u')

/** Whether a token is one character of Japanese, Chinese or Korean. */
export function isCjkSign({ surface }: Token): boolean {
  return CJK_SIGN.test(surface)
}
