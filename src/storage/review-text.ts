import type { Placeholder, Where } from './delivery-where.ts'
import { patternOf, wordsOf } from './review-where.ts'

const COLUMNS = ['r.title', 'r.body', 'r.author']

/**
 * The condition that every word of a search stands somewhere in a review; empty for no words. `like` is the engine's
 * operator that folds the case of ASCII: other letters it may not fold (SQLite never does, PostgreSQL by its locale),
 * so a word that has some is looked for as it is, in small and in capital letters, and with one capital.
 */
export function textWhere(
  text: string | undefined,
  like: 'like' | 'ilike',
  placeholder: Placeholder,
  from: number,
): Where {
  const values: string[] = []
  const conditions = wordsOf(text).map((word) => {
    const places = spellings(word).flatMap((spelling) => {
      values.push(patternOf(spelling))
      const place = placeholder(from + values.length - 1)
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
