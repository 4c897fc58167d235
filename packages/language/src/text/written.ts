import type { Token } from './segments.ts'

/**
 * Tokens as their writer put them, at most `charsMax` UTF-16 units and never half a character, which storage refuses.
 * `isParted`: with a blank between any two, because what stood between them may have been left out; else where one stood.
 */
export function written(tokens: readonly Token[], charsMax: number, isParted = false): string {
  return tokens
    .map(({ surface, spaced }) => (spaced || isParted ? ` ${surface}` : surface))
    .join('')
    .trim()
    .slice(0, charsMax)
    .replace(/\p{Surrogate}$/u, '')
}

const CJK_SIGN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]$/u

/** Whether a token is one sign of Japanese, Chinese or Korean, which are written without dependable blanks. */
export function isCjkSign({ surface }: Token): boolean {
  return CJK_SIGN.test(surface)
}
