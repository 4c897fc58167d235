import { isCjkSign, written } from '../text/written.ts'
import type { FeatureRequest } from './request.ts'
import type { Reading } from './signals.ts'

const WORDS_MAX = 4
const SIGNS_MAX = 16
const CHARS_MAX = 60

/**
 * A short phrase for what no theme covers: the feature asked for, else the first words of the review that name
 * something, in its own language. Never empty; web and mail addresses were taken out before.
 */
export function otherTopic(
  reading: Reading,
  request: FeatureRequest | null,
  functionWords: ReadonlySet<string>,
): string {
  if (request !== null) return request.phrase
  const first = reading.segments[0]?.segment.tokens ?? []
  const telling = first.filter(({ folded }) => !functionWords.has(folded) && !/^\d/.test(folded))
  const isCjk = first.some(isCjkSign)
  const words = isCjk ? first.slice(0, SIGNS_MAX) : telling.slice(0, WORDS_MAX)
  return written(words, CHARS_MAX, !isCjk) || 'no topic named'
}
