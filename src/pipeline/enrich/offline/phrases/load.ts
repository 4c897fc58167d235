import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CUES, STEERING, WORD_LISTS } from '../cues.ts'
import { loadWordsLikeness } from '../examples/load.ts'
import type { WordsLikeness } from '../examples/words.ts'
import { LANGUAGES, type Language } from '../language/detect.ts'
import { GRAMMAR, TABLES, type TableName } from '../language/grammar.ts'
import { type Description, WANTING } from '../read/described.ts'
import type { Feature } from '../read/request.ts'
import type { Concept } from '../read/wish-slug.ts'
import { loadCatalogue, loadConcepts, loadDescriptions } from './catalogue.ts'
import { createMatcher, type Matcher } from './matcher.ts'
import { PhraseSyntaxError } from './pattern.ts'
import { parseTable, type Section, wordsIn } from './table.ts'

export type LanguageTables = {
  readonly matcher: Matcher
  readonly featureMatcher: Matcher
  readonly conceptMatcher: Matcher
  /** What features are described with where they are not named. */
  readonly clueMatcher: Matcher
  /** Words that make a wish of a description. */
  readonly wantingMatcher: Matcher
  /** Known products and what is none, see brands.txt. */
  readonly brandMatcher: Matcher
  readonly functionWords: ReadonlySet<string>
  /** Of words to the examples of the language, features in the order of `slugs`. */
  readonly wordsLikeness: () => WordsLikeness
  /** "And", "but": a denial after one is about what follows. */
  readonly joiningWords: ReadonlySet<string>
}

export type Tables = {
  readonly byName: ReadonlyMap<TableName, LanguageTables>
  readonly features: ReadonlyMap<string, Feature>
  /** Of the features, in their order. */
  readonly slugs: readonly string[]
  readonly concepts: ReadonlyMap<string, Concept>
  readonly descriptions: readonly Description[]
  /** Names the kind of device (`phone`, `tablet`...), whatever the language. */
  readonly deviceMatcher: Matcher
  readonly tellingWords: ReadonlyMap<string, readonly Language[]>
  readonly hinglishWords: ReadonlySet<string>
  readonly hinglishDoubtful: ReadonlySet<string>
}

/** What was read for one language, by the folder of its tables. */
type Own = {
  readonly phrases: Matcher
  readonly features: Matcher
  readonly concepts: Matcher
  readonly clues: Matcher
  readonly wanting: Matcher
}

const PHRASE_SECTIONS: ReadonlySet<string> = new Set([...Object.keys(CUES), ...STEERING, ...WORD_LISTS])

/** Reads every table beside this file. Throws PhraseSyntaxError, naming the file, when one cannot be read. */
export function loadTables(): Tables {
  const features = loadCatalogue()
  const slugs = [...features.keys()]
  const concepts = loadConcepts()
  const descriptions = loadDescriptions(features)
  const clues = new Set(descriptions.flatMap((one) => one.clues.flat())).add(WANTING)
  const sections = new Map(TABLES.map((name) => [name, readPhrases(name)]))
  const wordsOf = (name: TableName, list: (typeof WORD_LISTS)[number]) =>
    wordsIn(sections.get(name) ?? [], list, `phrases/${name}.txt`)

  const readOwn = (name: TableName): Own => {
    const told = readTable(`clues/${name}.txt`, name, clues)
    return {
      phrases: matcherOf(name, (sections.get(name) ?? []).filter(isHeard)),
      features: matcherOf(name, readTable(`features/${name}.txt`, name, features)),
      concepts: matcherOf(name, readTable(`concepts/${name}.txt`, name, concepts)),
      clues: matcherOf(
        name,
        told.filter((section) => section.name !== WANTING),
      ),
      wanting: matcherOf(
        name,
        told.filter((section) => section.name === WANTING),
      ),
    }
  }
  const english = readOwn('en')
  const brands = {
    whole: createMatcher(readShared('phrases/brands.txt', false), 0),
    split: createMatcher(readShared('phrases/brands.txt', true), 0),
  }
  const tablesOf = (name: TableName): LanguageTables => {
    const own = name === 'en' ? english : readOwn(name)
    const { readsEnglish, apostropheSplits } = GRAMMAR[name]
    const littleWords = wordsOf(name, 'function_words')
    const matcher = (kind: keyof Own) =>
      readsEnglish.includes(kind) ? together(own[kind], without(littleWords, english[kind])) : own[kind]
    const isMixed = readsEnglish.includes('phrases')
    return {
      matcher: matcher('phrases'),
      featureMatcher: matcher('features'),
      conceptMatcher: matcher('concepts'),
      clueMatcher: matcher('clues'),
      wantingMatcher: matcher('wanting'),
      brandMatcher: apostropheSplits ? brands.split : brands.whole,
      functionWords: littleWords.union(isMixed ? wordsOf('en', 'function_words') : new Set()),
      joiningWords: wordsOf(name, 'words_joining'),
      wordsLikeness: loadWordsLikeness(name, slugs),
    }
  }

  const tellingWords = new Map<string, Language[]>()
  for (const language of LANGUAGES)
    for (const word of wordsOf(language, 'function_words'))
      tellingWords.set(word, [...(tellingWords.get(word) ?? []), language])
  return {
    byName: new Map(TABLES.map((name) => [name, tablesOf(name)])),
    features,
    slugs,
    concepts,
    descriptions,
    deviceMatcher: createMatcher(readShared('phrases/devices.txt', false), 0),
    tellingWords,
    hinglishWords: wordsOf('hinglish', 'words_telling'),
    hinglishDoubtful: wordsOf('hinglish', 'words_doubtful'),
  }
}

/** The phrases of a language, and after them those told in the words of what an app is for, where it has them. */
function readPhrases(name: TableName): Section[] {
  const topics = `phrases/${name}-topics.txt`
  return [
    ...readTable(`phrases/${name}.txt`, name, PHRASE_SECTIONS),
    ...(existsSync(pathOf(topics)) ? readTable(topics, name, PHRASE_SECTIONS) : []),
  ]
}

/** A table whose sections are names that `known` holds. */
function readTable(file: string, name: TableName, known: { has(name: string): boolean }): Section[] {
  const sections = readShared(file, GRAMMAR[name].apostropheSplits)
  const unknown = sections.find((section) => !known.has(section.name))
  if (unknown !== undefined) throw new PhraseSyntaxError(`${file}: there is no section [${unknown.name}]`)
  return sections
}

function readShared(file: string, apostropheSplits: boolean): Section[] {
  return parseTable(readFileSync(pathOf(file), 'utf8'), file, apostropheSplits)
}

function pathOf(file: string): string {
  return join(import.meta.dirname, '..', file)
}

function matcherOf(name: TableName, sections: readonly Section[]): Matcher {
  return createMatcher(sections, GRAMMAR[name].gapTokensMax)
}

/** Lists of words are looked up, not listened for. */
function isHeard({ name }: Section): boolean {
  return !WORD_LISTS.some((list) => list === name)
}

/** Of an English table, what is no little word of the language that reads it: the French "ai" is no AI. */
function without(littleWords: ReadonlySet<string>, matcher: Matcher): Matcher {
  return (tokens) =>
    matcher(tokens).filter(
      ({ taken }) => !taken.every((position) => littleWords.has(tokens[position]?.folded ?? '')),
    )
}

function together(first: Matcher, second: Matcher): Matcher {
  return (tokens) => [...first(tokens), ...second(tokens)]
}
