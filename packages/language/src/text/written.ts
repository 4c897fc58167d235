import { CJK, type Token } from './segments.ts'

/**
 * The tokens as written, at most `charsMax` UTF-16 units, never ending in half a surrogate pair, which PostgreSQL rejects.
 * `isSpaced` puts a space between all tokens, for tokens that were not adjacent; otherwise spaces are those of the text.
 */
export function written(tokens: readonly Token[], charsMax: number, isSpaced = false): string {
  return tokens
    .map(({ surface, spaced }) => (spaced || isSpaced ? ` ${surface}` : surface))
    .join('')
    .trim()
    .slice(0, charsMax)
    .replace(/\p{Surrogate}$/u, '')
}

const CJK_CHARACTER = new RegExp(`^[${CJK}]$`, 'u')

/** Whether a token is one character of Japanese, Chinese or Korean. */
export function isCjkCharacter({ surface }: Token): boolean {
  return CJK_CHARACTER.test(surface)
}
