import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TableName } from '../language/grammar.ts'
import { parseHeard } from './heard.ts'
import { createLikeness, type Likeness } from './likeness.ts'
import { type Example, parseExamples } from './table.ts'
import { learnWords, NOTHING, type WordsLikeness } from './words.ts'

/** Signs lent to each feature, see createLikeness. Chosen as RULED_BONUS was, see likely-feature.ts; half or double changes little. */
const HEARD_LENT = 20

/** Where `npm run learn:examples` writes. */
export const HEARD_PATH = join(import.meta.dirname, 'heard.tsv')

/** The wishes of one language. Throws PhraseSyntaxError when the table cannot be read. */
export function loadExamples(name: TableName, known: { has(slug: string): boolean }): Example[] {
  return readExamples(`${name}.txt`, known)
}

function readExamples(file: string, known: { has(slug: string): boolean }): Example[] {
  return parseExamples(readFileSync(join(import.meta.dirname, file), 'utf8'), `examples/${file}`, known)
}

/** By what the tables heard in all examples when they were last learned. Throws PhraseSyntaxError when the file cannot be read. */
export function loadHeardLikeness(slugs: readonly string[]): Likeness {
  const tally = parseHeard(readFileSync(HEARD_PATH, 'utf8'), slugs, 'examples/heard.tsv')
  return createLikeness(tally, slugs.length, HEARD_LENT)
}

/**
 * By the words of the examples of one language. The tables are read at once, so that a fault in them stops the start; their words
 * are counted when they are first asked for, in 60 to 200 ms, because few installations hear all languages.
 */
export function loadWordsLikeness(name: TableName, slugs: readonly string[]): () => WordsLikeness {
  let wishes = loadExamples(name, new Set(slugs))
  let others = readExamples(`${name}-nothing.txt`, new Set([NOTHING]))
  let likeness: WordsLikeness | undefined
  return () => {
    if (likeness === undefined) {
      likeness = learnWords(name, slugs, wishes, others)
      wishes = []
      others = []
    }
    return likeness
  }
}
