import type { Match } from '../phrases/matcher.ts'
import type { Token } from '../text/segments.ts'

export type Span = { readonly start: number; readonly end: number }

/** Shorter runs are usually ordinary words: アプリ, ゲーム, Korean endings. */
const KATAKANA_CHARS_MIN = 3
const HANGUL_CHARS = { min: 2, max: 8 } as const

/**
 * The product name directly before `match`, in languages where the verb follows the name: Japanese (Xから乗り換え) and Korean
 * (X에서 갈아탔). A run of katakana or Latin letters, or the start of a Korean word; undefined when there is none. The caller
 * removes names that the brand list excludes.
 */
export function nameBefore(tokens: readonly Token[], { start: end }: Match): Span | undefined {
  const last = tokens[end - 1]
  if (last === undefined) return undefined
  if (isLatinName(last)) {
    let start = end - 1
    while (start > 0 && isLatinName(tokens[start - 1]) && tokens[start]?.spaced === true) start--
    return { start, end }
  }
  if (KATAKANA.test(last.surface)) {
    const start = runStart(tokens, end, KATAKANA)
    return end - start >= KATAKANA_CHARS_MIN ? { start, end } : undefined
  }
  if (!HANGUL.test(last.surface)) return undefined
  const start = wordStart(tokens, end)
  const chars = end - start
  return chars >= HANGUL_CHARS.min && chars <= HANGUL_CHARS.max ? { start, end } : undefined
}

export const KATAKANA = /^[\p{Script=Katakana}ー]$/u
export const HANGUL = /^\p{Script=Hangul}$/u

function isLatinName(token: Token | undefined): boolean {
  return token !== undefined && /^\p{Lu}[\p{Script=Latin}\p{N}]+$/u.test(token.surface)
}

function runStart(tokens: readonly Token[], end: number, script: RegExp): number {
  let start = end - 1
  while (start > 0 && script.test(tokens[start - 1]?.surface ?? '')) start--
  return start
}

function wordStart(tokens: readonly Token[], end: number): number {
  let start = end - 1
  while (start > 0 && tokens[start]?.spaced === false && HANGUL.test(tokens[start - 1]?.surface ?? ''))
    start--
  return start
}
