import type { Segment } from './text/segments.ts'
import { isCjkCharacter, written } from './text/written.ts'

const WORDS_MAX = 4
const CJK_CHARS_MAX = 16
const CHARS_MAX = 60

/** A short phrase for a topic outside the vocabulary: the first content words of the review, in its language. Never empty. */
export function otherTopic(segments: readonly Segment[], functionWords: ReadonlySet<string>): string {
  for (const { tokens } of segments) {
    const isCjk = tokens.some(isCjkCharacter)
    const content = tokens.filter(({ folded }) => !functionWords.has(folded) && !/^\d/.test(folded))
    const words = isCjk ? tokens.slice(0, CJK_CHARS_MAX) : content.slice(0, WORDS_MAX)
    const phrase = written(words, CHARS_MAX, !isCjk)
    if (phrase !== '') return phrase
  }
  return 'no topic named'
}
