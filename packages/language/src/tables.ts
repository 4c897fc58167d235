import { readFileSync } from 'node:fs'
import { type Products, readProducts } from './competitor/products.ts'
import { loadCatalogue } from './features/catalogue.ts'
import { type Concept, loadConcepts } from './features/concepts.ts'
import type { Feature } from './features/feature.ts'
import { LANGUAGES, type Language } from './language/detect.ts'
import { GRAMMAR, TABLES, type TableName } from './language/grammar.ts'
import { createMatcher, type Matcher } from './phrases/matcher.ts'
import { PhraseSyntaxError } from './phrases/pattern.ts'
import { parseTable, type Section, wordsIn } from './phrases/table.ts'
import { loadTopics, type Topics } from './summary/topics.ts'
import { type OrderMarks, readOrderMarks } from './text/without-orders.ts'

/** The word lists of one language: `data/<language>`. */
export type LanguageTables = {
  /** Names of features, by slug. */
  readonly featureMatcher: Matcher
  /** Words of the app world, by concept. */
  readonly conceptMatcher: Matcher
  /** What a review speaks of, by topic. */
  readonly topicMatcher: Matcher
  /** Where the names of other products stand. */
  readonly competitorMatcher: Matcher
  /** Known products, and names that are no product (`provider`). */
  readonly brandMatcher: Matcher
  /** Articles, auxiliaries, courtesies: words that name nothing. */
  readonly functionWords: ReadonlySet<string>
}

export type Tables = {
  readonly byName: ReadonlyMap<TableName, LanguageTables>
  readonly features: ReadonlyMap<string, Feature>
  readonly concepts: ReadonlyMap<string, Concept>
  readonly topics: Topics
  readonly products: Products
  readonly orderMarks: OrderMarks
  readonly tellingWords: ReadonlyMap<string, readonly Language[]>
  readonly hinglishWords: ReadonlySet<string>
  readonly hinglishDoubtful: ReadonlySet<string>
}

const COMPETITOR_SECTIONS = [
  'compare',
  'joined',
  'leaving',
  'other_apps',
  'name_after',
  'name_before',
] as const

const WORD_LISTS = ['function_words', 'words_telling', 'words_doubtful'] as const

/** Reads all word lists. Throws PhraseSyntaxError, naming the file and line, when one cannot be read. */
export function loadTables(): Tables {
  const features = loadCatalogue(readData('shared/features.txt'))
  const concepts = loadConcepts(readData('shared/concepts.txt'))
  const topics = loadTopics(readData('shared/topics.txt'))
  const wordsOf = (name: TableName, list: (typeof WORD_LISTS)[number]) =>
    wordsIn(readSections(name, 'words', new Set(WORD_LISTS)), list, `${name}/words.txt`)
  const readOwn = (name: TableName) => ({
    features: matcherOf(name, readSections(name, 'features', features)),
    concepts: matcherOf(name, readSections(name, 'concepts', concepts)),
    topics: matcherOf(name, readSections(name, 'topics', topics)),
    competitors: matcherOf(name, readSections(name, 'competitors', new Set(COMPETITOR_SECTIONS))),
  })
  const english = readOwn('en')
  const brands = {
    whole: createMatcher(brandsOf(false), 0),
    split: createMatcher(brandsOf(true), 0),
  }
  const tablesOf = (name: TableName): LanguageTables => {
    const own = name === 'en' ? english : readOwn(name)
    const { readsEnglish, apostropheSplits } = GRAMMAR[name]
    const littleWords = wordsOf(name, 'function_words')
    const matcher = (kind: keyof typeof own) =>
      readsEnglish.includes(kind) ? together(own[kind], without(littleWords, english[kind])) : own[kind]
    return {
      featureMatcher: matcher('features'),
      conceptMatcher: matcher('concepts'),
      topicMatcher: matcher('topics'),
      competitorMatcher: matcher('competitors'),
      brandMatcher: apostropheSplits ? brands.split : brands.whole,
      functionWords: name === 'hinglish' ? littleWords.union(wordsOf('en', 'function_words')) : littleWords,
    }
  }
  const tellingWords = new Map<string, Language[]>()
  for (const language of LANGUAGES)
    for (const word of wordsOf(language, 'function_words'))
      tellingWords.set(word, [...(tellingWords.get(word) ?? []), language])
  return {
    byName: new Map(TABLES.map((name) => [name, tablesOf(name)])),
    features,
    concepts,
    topics,
    products: readProducts(readData('shared/products.txt'), readData('shared/same-names.txt')),
    orderMarks: readOrderMarks(readData('shared/order-marks.txt')),
    tellingWords,
    hinglishWords: wordsOf('hinglish', 'words_telling'),
    hinglishDoubtful: wordsOf('hinglish', 'words_doubtful'),
  }
}

/** A table whose sections are names that `known` holds. */
function readSections(name: TableName, kind: string, known: { has(name: string): boolean }): Section[] {
  const file = `${name}/${kind}.txt`
  const sections = parse(file, GRAMMAR[name].apostropheSplits)
  const unknown = sections.find((section) => !known.has(section.name))
  if (unknown !== undefined) throw new PhraseSyntaxError(`${file}: there is no section [${unknown.name}]`)
  return sections
}

/** Names of products. A name that is an ordinary word is one only where it is written as a name. */
function brandsOf(apostropheSplits: boolean): Section[] {
  const sections = parse('shared/brands.txt', apostropheSplits)
  const known = parse('shared/products.txt', apostropheSplits)
  const spelling = (pattern: Section['patterns'][number]) => JSON.stringify(pattern)
  const ordinary = new Set(
    sections.filter(({ name }) => name !== 'brand').flatMap(({ patterns }) => patterns.map(spelling)),
  )
  const brands = known.flatMap(({ patterns }) =>
    patterns.filter((pattern) => !ordinary.has(spelling(pattern))),
  )
  return [...sections, { name: 'brand', patterns: brands }]
}

function parse(file: string, apostropheSplits: boolean): Section[] {
  return parseTable(readData(file), file, apostropheSplits)
}

function readData(file: string): string {
  return readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8')
}

function matcherOf(name: TableName, sections: readonly Section[]): Matcher {
  return createMatcher(sections, GRAMMAR[name].gapTokensMax)
}

/** Drops English matches that are function words of the other language: French "ai" is not AI. */
function without(littleWords: ReadonlySet<string>, matcher: Matcher): Matcher {
  return (tokens) =>
    matcher(tokens).filter(
      ({ taken }) => !taken.every((position) => littleWords.has(tokens[position]?.folded ?? '')),
    )
}

function together(first: Matcher, second: Matcher): Matcher {
  return (tokens) => [...first(tokens), ...second(tokens)]
}
