import { readFileSync } from 'node:fs'

/**
 * The languages in Latin script that are distinguished, in the order of their letters in `language-ngrams.tsv`. The last one was trained on
 * Malay, whose n-grams are nearly those of Indonesian, which more people write.
 */
export const LATIN_LANGUAGES = 'de en es fr it nl pt sv da no fi pl tr cs ro hu vi id'.split(' ')

export type NgramScores = (text: string) => {
  /** For each of LATIN_LANGUAGES. */
  readonly sums: Float64Array
  /** Of the different words that were read. */
  readonly letters: number
}

/** Bytes of text read: enough to identify a language, and fast. */
const BYTES_MAX = 400

/**
 * Scores of a text for each of LATIN_LANGUAGES by the n-grams of eld (Nito T.M., Apache-2.0; counting rewritten):
 * words in UTF-8 are split into pieces of 4 bytes, one every 3 bytes, and each piece counts once.
 */
export function loadNgrams(): NgramScores {
  const rows = readFileSync(new URL('../../data/shared/language-ngrams.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const rowOf = new Map<string, number>()
  const width = LATIN_LANGUAGES.length
  // One flat table: 46,000 separate arrays would take ten times the memory.
  const scores = new Uint8Array(rows.length * width)
  rows.forEach((line, row) => {
    const [written = '', entries = ''] = line.split('\t')
    const piece = written
      .replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll('_', ' ')
    rowOf.set(piece, row)
    for (const [, letter = 'a', score] of entries.matchAll(/([a-z])(\d+)/g))
      scores[row * width + letter.charCodeAt(0) - 97] = Math.min(255, Number(score))
  })
  return (text) => {
    const sums = new Float64Array(width)
    const words = wordsOf(text)
    for (const piece of pieces(words)) {
      const row = rowOf.get(piece)
      if (row === undefined) continue
      for (let language = 0; language < width; language++)
        sums[language] = (sums[language] ?? 0) + (scores[row * width + language] ?? 0)
    }
    return { sums, letters: words.values().reduce((letters, word) => letters + lettersOf(word), 0) }
  }
}

/** Of a word in UTF-8, whose bytes after the first of a letter begin with 10. */
function lettersOf(word: string): number {
  return word.replace(/[\x80-\xbf]/g, '').length
}

/** The different words, in UTF-8. */
function wordsOf(text: string): Set<string> {
  const bytes = Buffer.from(
    text
      .toLowerCase()
      .replace(/[^\p{L}']+/gu, ' ')
      .trim(),
    'utf8',
  )
    .toString('latin1')
    .slice(0, BYTES_MAX)
  return new Set(bytes.split(' ').filter((word) => word !== ''))
}

function pieces(words: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  for (const word of words) {
    const length = Math.min(word.length, 70)
    let at = 0
    for (; at + 4 < length; at += 3) found.add((at === 0 ? ' ' : '') + word.slice(at, at + 4))
    found.add(`${at === 0 ? ' ' : ''}${word.slice(length === 3 ? 0 : Math.max(0, length - 4))} `)
  }
  return found
}
