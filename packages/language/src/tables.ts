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
import { type InstructionMarkers, readInstructionMarkers } from './text/without-instructions.ts'

/** The word lists of one language: `data/<language>`. */
export type LanguageTables = {
  /** Names of features, by slug. */
  readonly featureMatcher: Matcher
  /** Common terms of apps, by concept. */
  readonly conceptMatcher: Matcher
  /** Topics of reviews, by name. */
  readonly topicMatcher: Matcher
  /** Phrases next to the names of other products. */
  readonly competitorMatcher: Matcher
  /** Known products, and names that are not products (`provider`). */
  readonly brandMatcher: Matcher
  /** Words that name nothing, such as articles, auxiliaries and courtesies. */
  readonly functionWords: ReadonlySet<string>
}

export type Tables = {
  readonly byName: ReadonlyMap<TableName, LanguageTables>
  readonly features: ReadonlyMap<string, Feature>
  readonly concepts: ReadonlyMap<string, Concept>
  readonly topics: Topics
  readonly products: Products
  readonly instructionMarkers: InstructionMarkers
  readonly identifyingWords: ReadonlyMap<string, readonly Language[]>
  readonly hinglishWords: ReadonlySet<string>
  readonly hinglishAmbiguous: ReadonlySet<string>
}

const COMPETITOR_SECTIONS = [
  'compare',
  'joined',
  'leaving',
  'other_apps',
  'name_after',
  'name_before',
] as const

const WORD_LISTS = ['function_words', 'words_certain', 'words_ambiguous'] as const

/** Reads all word lists. Throws PhraseSyntaxError, with file and line, for a syntax error. */
export function loadTables(): Tables {
  const features = loadCatalogue(readData('shared/features.txt'))
  const concepts = loadConcepts(readData('shared/concepts.txt'))
  const topics = loadTopics(readData('shared/topics.txt'))
  const wordsOf = (name: TableName, list: (typeof WORD_LISTS)[number]) =>
    wordsIn(readSections(name, 'words', new Set(WORD_LISTS)), list, `${name}/words.txt`)
  const readTables = (name: TableName) => ({
    features: matcherOf(name, readSections(name, 'features', features)),
    concepts: matcherOf(name, readSections(name, 'concepts', concepts)),
    topics: matcherOf(name, readSections(name, 'topics', topics)),
    competitors: matcherOf(name, readSections(name, 'competitors', new Set(COMPETITOR_SECTIONS))),
  })
  const english = readTables('en')
  const brands = {
    whole: createMatcher(brandsOf(false), 0),
    split: createMatcher(brandsOf(true), 0),
  }
  const tablesOf = (name: TableName): LanguageTables => {
    const own = name === 'en' ? english : readTables(name)
    const { readsEnglish, apostropheSplits } = GRAMMAR[name]
    const functionWords = wordsOf(name, 'function_words')
    const matcher = (kind: keyof typeof own) =>
      readsEnglish.includes(kind) ? combine(own[kind], without(functionWords, english[kind])) : own[kind]
    return {
      featureMatcher: matcher('features'),
      conceptMatcher: matcher('concepts'),
      topicMatcher: matcher('topics'),
      competitorMatcher: matcher('competitors'),
      brandMatcher: apostropheSplits ? brands.split : brands.whole,
      functionWords:
        name === 'hinglish' ? functionWords.union(wordsOf('en', 'function_words')) : functionWords,
    }
  }
  const identifyingWords = new Map<string, Language[]>()
  for (const language of LANGUAGES)
    for (const word of wordsOf(language, 'function_words'))
      identifyingWords.set(word, [...(identifyingWords.get(word) ?? []), language])
  return {
    byName: new Map(TABLES.map((name) => [name, tablesOf(name)])),
    features,
    concepts,
    topics,
    products: readProducts(readData('shared/products.txt'), readData('shared/same-names.txt')),
    instructionMarkers: readInstructionMarkers(readData('shared/instruction-markers.txt')),
    identifyingWords,
    hinglishWords: wordsOf('hinglish', 'words_certain'),
    hinglishAmbiguous: wordsOf('hinglish', 'words_ambiguous'),
  }
}

/** A table whose sections must be in `known`. */
function readSections(name: TableName, kind: string, known: { has(name: string): boolean }): Section[] {
  const file = `${name}/${kind}.txt`
  const sections = parse(file, GRAMMAR[name].apostropheSplits)
  const unknown = sections.find((section) => !known.has(section.name))
  if (unknown !== undefined) throw new PhraseSyntaxError(`${file}: there is no section [${unknown.name}]`)
  return sections
}

/** Names of products. An ordinary word is a product only where it is written as a name. */
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
function without(functionWords: ReadonlySet<string>, matcher: Matcher): Matcher {
  return (tokens) =>
    matcher(tokens).filter(
      ({ taken }) => !taken.every((position) => functionWords.has(tokens[position]?.folded ?? '')),
    )
}

function combine(first: Matcher, second: Matcher): Matcher {
  return (tokens) => [...first(tokens), ...second(tokens)]
}
