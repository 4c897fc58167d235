import { GRAMMAR, type TableName } from '../language/grammar.ts'
import { markJapaneseWords } from '../text/japanese-words.ts'
import { type Segment, segment } from '../text/segments.ts'
import { tidy } from '../text/tidy.ts'
import { createLikeness, type Likeness, tallyExamples } from './likeness.ts'
import { stemsOf } from './stems.ts'
import type { Example } from './table.ts'

/** Signs lent to each feature and to each kind of sentence, as HEARD_LENT is. */
const FEATURES_LENT = 4_000
const KINDS_LENT = 1_000

/** An example cut like a review of its language. */
export function segmentExample({ text }: Example, name: TableName): readonly Segment[] {
  const { segments } = segment(tidy(text), GRAMMAR[name].apostropheSplits)
  return name === 'ja' ? markJapaneseWords(segments) : segments
}

/** The section of what asks for nothing, in `<language>-nothing.txt`. */
export const NOTHING = 'nothing'

/** By the words of one language. */
export type WordsLikeness = {
  /** To the wishes for each feature, by its place in the catalogue. */
  readonly toFeatures: Likeness
  /** How many times likelier the words of a sentence are in wishes than in what asks for nothing, as a natural logarithm. */
  readonly toWishes: (signs: Iterable<string>) => number
}

const KINDS = ['wish', NOTHING]

/**
 * What fewer sentences of wishes hold tells nothing of asking: it is mostly what an app is for, and wishes outside the catalogue would
 * be taken for nothing because they are about something else.
 */
const SENTENCES_MIN = 3

/**
 * Learns the words of one language: from `wishes`, of the features that `slugs` holds, and from `others`, which ask for nothing. Takes
 * 60 to 200 ms for the examples of a language.
 */
export function learnWords(
  name: TableName,
  slugs: readonly string[],
  wishes: readonly Example[],
  others: readonly Example[],
): WordsLikeness {
  const told = wishes.map((wish) => ({ slug: wish.slug, sentences: sentencesOf(wish, name) }))
  const toFeatures = tallyExamples(told, slugs, ({ sentences }) => sentences.flat())
  const asked = told.flatMap((wish) => wish.sentences)
  const spread = metInAtLeast(SENTENCES_MIN, asked)
  const sentences = [
    ...asked.map((stems) => ({ slug: 'wish', stems })),
    ...others.flatMap((one) => sentencesOf(one, name).map((stems) => ({ slug: NOTHING, stems }))),
  ]
  const kinds = createLikeness(
    tallyExamples(sentences, KINDS, ({ stems }) => stems.filter((stem) => spread.has(stem))),
    KINDS.length,
    KINDS_LENT,
  )
  return {
    toFeatures: createLikeness(toFeatures, slugs.length, FEATURES_LENT),
    toWishes: (signs) => {
      const [wish = 0, nothing = 0] = kinds(signs)
      return wish - nothing
    },
  }
}

/** The stems of each sentence. */
function sentencesOf(example: Example, name: TableName): string[][] {
  const bySentence = Map.groupBy(segmentExample(example, name), ({ sentence }) => sentence)
  return [...bySentence.values()].map((segments) => segments.flatMap(({ tokens }) => stemsOf(tokens)))
}

function metInAtLeast(min: number, sentences: readonly (readonly string[])[]): Set<string> {
  const counts = new Map<string, number>()
  for (const stems of sentences)
    for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= min).map(([stem]) => stem))
}
