import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GRAMMAR, type TableName } from '../language/grammar.ts'
import { markJapaneseWords } from '../text/japanese-words.ts'
import { type Segment, segment } from '../text/segments.ts'
import { tidy } from '../text/tidy.ts'
import { parseHeard } from './heard.ts'
import { createLikeness, type Likeness, tallyExamples } from './likeness.ts'
import { stemsOf } from './stems.ts'
import { type Example, parseExamples } from './table.ts'

/** Signs lent to each feature, see createLikeness. Chosen as RULED_BONUS was, see likely-feature.ts; half or double changes little. */
const HEARD_LENT = 20
const WORDS_LENT = 4_000

/** Where `npm run learn:examples` writes. */
export const HEARD_PATH = join(import.meta.dirname, 'heard.tsv')

/** The wishes of one language. Throws PhraseSyntaxError when the table cannot be read. */
export function loadExamples(name: TableName, known: { has(slug: string): boolean }): Example[] {
  const file = `${name}.txt`
  return parseExamples(readFileSync(join(import.meta.dirname, file), 'utf8'), `examples/${file}`, known)
}

/** An example cut like a review of its language. */
export function segmentExample({ text }: Example, name: TableName): readonly Segment[] {
  const { segments } = segment(tidy(text), GRAMMAR[name].apostropheSplits)
  return name === 'ja' ? markJapaneseWords(segments) : segments
}

/** By what the tables heard in all examples when they were last learned. Throws PhraseSyntaxError when the file cannot be read. */
export function loadHeardLikeness(slugs: readonly string[]): Likeness {
  const tally = parseHeard(readFileSync(HEARD_PATH, 'utf8'), slugs, 'examples/heard.tsv')
  return createLikeness(tally, slugs.length, HEARD_LENT)
}

/**
 * By the words of the examples of one language. The table is read at once, so that a fault in it stops the start; its words
 * are counted when they are first asked for, in 50 to 150 ms, because few installations hear all languages.
 */
export function loadWordsLikeness(name: TableName, slugs: readonly string[]): () => Likeness {
  let examples = loadExamples(name, new Set(slugs))
  let likeness: Likeness | undefined
  return () => {
    if (likeness === undefined) {
      const signsOf = (example: Example) =>
        segmentExample(example, name).flatMap(({ tokens }) => stemsOf(tokens))
      likeness = createLikeness(tallyExamples(examples, slugs, signsOf), slugs.length, WORDS_LENT)
      examples = []
    }
    return likeness
  }
}
