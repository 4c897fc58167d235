import type { Where } from '../queue/delivery-where.ts'
import { patternOf, wordsOf } from './review-where.ts'

const COLUMNS = ['r.title', 'r.body', 'r.author']

/**
 * The condition that every word of a search occurs in a review; empty without words. `like` is the operator of the
 * engine that ignores the case of ASCII letters. SQLite does not ignore the case of other letters, and PostgreSQL only
 * with some locales. A word with such letters is therefore searched unchanged, in lower case, in upper case, and with
 * an initial capital. `from`: the first parameter.
 */
export function textWhere(text: string | undefined, like: 'like' | 'ilike', from: number): Where {
  const values: string[] = []
  const conditions = wordsOf(text).map((word) => {
    const places = spellings(word).flatMap((spelling) => {
      values.push(patternOf(spelling))
      const place = `?${from + values.length - 1}`
      return COLUMNS.map((column) => `${column} ${like} ${place} escape '\\'`)
    })
    return `(${places.join(' or ')})`
  })
  return { sql: conditions.join(' and '), values }
}

function spellings(word: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters.
  if (/^[\x00-\x7f]*$/.test(word)) return [word]
  const small = word.toLowerCase()
  const [first = '', ...rest] = small
  return [...new Set([word, small, first.toUpperCase() + rest.join(''), word.toUpperCase()])]
}
