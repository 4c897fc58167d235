import type { Token } from '../text/segments.ts'
import { isCjkSign } from '../text/written.ts'

/** Letters of a word that are compared: endings differ more than what is meant. */
const STEM_CHARS = 5

/**
 * What the words of a segment are compared by: their first letters, and of Japanese and Korean each sign and each two that stand
 * together, because nothing dependable parts their words.
 */
export function stemsOf(tokens: readonly Token[]): string[] {
  const stems: string[] = []
  let before = ''
  for (const token of tokens) {
    if (!isCjkSign(token)) {
      stems.push(token.folded.slice(0, STEM_CHARS))
      before = ''
      continue
    }
    stems.push(token.folded)
    if (before !== '') stems.push(before + token.folded)
    before = token.folded
  }
  return stems
}
