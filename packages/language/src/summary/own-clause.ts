import { isUnfitText, urgesReader } from '../../../../src/model/summary-text.ts'
import { inAscii, redact } from './redact.ts'

const WORDS_MIN = 3

/**
 * An English sentence as a summary: without what may identify a person, at most `wordsMax` words, cut at a pause where there is one. Null
 * for fewer than three words, what cannot be written in ASCII, and what has a bare domain or urges the reader.
 */
export function ownClause(sentence: string, wordsMax: number): string | null {
  const plain = inAscii(sentence)
  if (plain === null) return null
  const safe = redact(plain)
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})%]+$/gu, '')
    .trim()
  if (isUnfitText(safe, '') || urgesReader(safe)) return null
  return safe.split(' ').length < WORDS_MIN ? null : shorten(safe, wordsMax)
}

function shorten(sentence: string, wordsMax: number): string {
  const words = sentence.split(' ')
  const isWhole = words.length <= wordsMax
  let end = Math.min(words.length, wordsMax)
  if (!isWhole) {
    const pause = words.slice(0, wordsMax).findLastIndex((word) => /[,;:)]$/u.test(word))
    if (pause + 1 >= WORDS_MIN * 2) end = pause + 1
  }
  const kept = words
    .slice(0, end)
    .join(' ')
    .replace(/[\s,;:.(-]+$/u, '')
  const capital = kept.slice(0, 1).toUpperCase() + kept.slice(1)
  return isWhole || end < wordsMax ? `${capital}.` : `${capital}...`
}
