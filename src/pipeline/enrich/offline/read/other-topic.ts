import type { FeatureRequest } from './request.ts'
import type { Reading } from './signals.ts'

const WORDS_MAX = 4
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
  const isCjk = first.some(({ surface }) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(surface),
  )
  const words = isCjk ? first.slice(0, 16) : telling.slice(0, WORDS_MAX)
  const phrase = words
    .map(({ surface, spaced }, index) => (index > 0 && (spaced || !isCjk) ? ` ${surface}` : surface))
    .join('')
  return phrase.slice(0, CHARS_MAX).toWellFormed().trim() || 'no topic named'
}
