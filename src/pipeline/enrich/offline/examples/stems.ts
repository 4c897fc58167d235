import type { Token } from '../text/segments.ts'
import { isCjkSign } from '../text/written.ts'

/** A short beginning of a word meets all its endings, a long one tells it from other words. */
const START_CHARS = 4
const STEM_CHARS = 7

/**
 * What a segment is compared by: the beginnings of its words, and the short beginnings of each two words that stand together. Of
 * Japanese and Korean each sign and each two that stand together, because nothing dependable parts their words.
 */
export function stemsOf(tokens: readonly Token[]): string[] {
  const stems: string[] = []
  let before: { readonly stem: string; readonly isSign: boolean } | undefined
  for (const token of tokens) {
    const { folded } = token
    const isSign = isCjkSign(token)
    const stem = isSign ? folded : folded.slice(0, START_CHARS)
    stems.push(stem)
    if (stem.length < folded.length) stems.push(folded.slice(0, STEM_CHARS))
    if (before?.isSign === isSign) stems.push(isSign ? before.stem + stem : `${before.stem} ${stem}`)
    before = { stem, isSign }
  }
  return stems
}
