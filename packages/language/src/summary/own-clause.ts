import { isUnfitText, urgesReader } from '../../../../src/model/summary-text.ts'
import { inAscii, redact } from './redact.ts'

const WORDS_MIN = 3

/** The writer's point follows these words: "was great, but now ...". */
const CONTRAST = /^(?:but|however|unfortunately|until)[,;]?$/iu
/** Words that connect a sentence to the previous one. */
const JOINING = /^(?:(?:because|but|and|so|also|however)[ ,]+)+/iu

/**
 * An English sentence as a summary, without personal data and with at most `wordsMax` words. A longer sentence ends at a pause if it has
 * one; with `isCritical` (the review is not all praise) it begins after a contrast. Null for fewer than three words, for text that cannot
 * be written in ASCII, and for text that has a bare domain or urges the reader.
 */
export function ownClause(sentence: string, wordsMax: number, isCritical: boolean): string | null {
  const plain = inAscii(sentence)
  if (plain === null) return null
  const safe = redact(plain)
    .replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N})%])[^\p{L}\p{N})%]+$/gu, '')
    .replace(JOINING, '')
    .trim()
  if (isUnfitText(safe, '') || urgesReader(safe)) return null
  const words = safe.split(' ')
  if (words.length < WORDS_MIN) return null
  const stressed = isCritical && words.length > wordsMax ? afterContrast(words) : words
  return shorten(stressed.join(' '), wordsMax)
}

/** The words after the first contrast; all words when there is none, or too few after it. */
function afterContrast(words: readonly string[]): readonly string[] {
  const after = words.slice(words.findIndex((word) => CONTRAST.test(word)) + 1)
  return after.length < WORDS_MIN * 2 ? words : after
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
    .replace(/(?<![\s,;:.(-])[\s,;:.(-]+$/u, '')
  const capital = kept.slice(0, 1).toUpperCase() + kept.slice(1)
  return isWhole || end < wordsMax ? `${capital}.` : `${capital}...`
}
