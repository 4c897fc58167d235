import { GRAMMAR, type TableName } from '../language/grammar.ts'
import { markJapaneseWords } from '../text/japanese-words.ts'
import { type Segment, segment } from '../text/segments.ts'
import { tidy } from '../text/tidy.ts'
import { createLikeness, type Likeness, type Meeting, tallyExamples, tallyMeetings } from './likeness.ts'
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

const KINDS = ['wish', NOTHING] as const

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
  const kinds = kindCounts()
  const toFeatures = tallyExamples(wishes, slugs, (wish) => {
    const sentences = sentencesOf(wish, name)
    for (const stems of sentences) kinds.add('wish', stems)
    return sentences.flat()
  })
  for (const other of others) for (const stems of sentencesOf(other, name)) kinds.add(NOTHING, stems)
  const toKinds = createLikeness(tallyMeetings(kinds.meetings(), KINDS.length), KINDS.length, KINDS_LENT)
  return {
    toFeatures: createLikeness(toFeatures, slugs.length, FEATURES_LENT),
    toWishes: (signs) => {
      const [wish = 0, nothing = 0] = toKinds(signs)
      return wish - nothing
    },
  }
}

/** The stems of each sentence. */
function sentencesOf(example: Example, name: TableName): string[][] {
  const bySentence = Map.groupBy(segmentExample(example, name), ({ sentence }) => sentence)
  return [...bySentence.values()].map((segments) => segments.flatMap(({ tokens }) => stemsOf(tokens)))
}

/** Counts in how many sentences of each kind a stem was met; sentence by sentence, because those of a language take many megabytes. */
function kindCounts() {
  const counts = new Map<string, { wish: number; nothing: number }>()
  return {
    add(kind: (typeof KINDS)[number], stems: readonly string[]) {
      for (const stem of new Set(stems)) {
        const count = counts.get(stem) ?? { wish: 0, nothing: 0 }
        count[kind]++
        counts.set(stem, count)
      }
    },
    *meetings(): Generator<Meeting> {
      for (const [sign, count] of counts) {
        if (count.wish < SENTENCES_MIN) continue
        for (const [place, kind] of KINDS.entries()) yield { sign, place, count: count[kind] }
      }
    },
  }
}
