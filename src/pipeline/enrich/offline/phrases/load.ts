import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { THEMES, type Theme } from '../../../../model/vocabulary.ts'
import { CUES, STEERING } from '../cues.ts'
import { LANGUAGES, type Language } from '../language/detect.ts'
import type { Feature } from '../read/request.ts'
import { CONCEPT_NAME_CHARS_MAX, CONCEPT_PARTS, CONCEPT_WEIGHTS, type Concept } from '../read/wish-slug.ts'
import { createMatcher, type Matcher } from './matcher.ts'
import { PhraseSyntaxError } from './pattern.ts'
import { parseTable, type Section } from './table.ts'

/** Hindi in Latin letters has a table of its own, read together with the English one. */
export const TABLES = [...LANGUAGES, 'hinglish'] as const
export type TableName = (typeof TABLES)[number]

export type LanguageTables = {
  readonly matcher: Matcher
  readonly featureMatcher: Matcher
  readonly conceptMatcher: Matcher
  readonly functionWords: ReadonlySet<string>
}

export type Tables = {
  readonly byName: ReadonlyMap<TableName, LanguageTables>
  readonly features: ReadonlyMap<string, Feature>
  readonly concepts: ReadonlyMap<string, Concept>
  readonly brandMatcher: (name: TableName) => Matcher
  /** Names the kind of device (`phone`, `tablet`...), whatever the language. */
  readonly deviceMatcher: Matcher
  readonly tellingWords: ReadonlyMap<string, readonly Language[]>
  readonly hinglishWords: ReadonlySet<string>
  readonly hinglishDoubtful: ReadonlySet<string>
}

/** Whether an apostrophe parts two words of the language (l'app, dell'app) or belongs to one (don't, foto's). */
export function apostropheSplits(name: TableName): boolean {
  return name === 'fr' || name === 'it'
}

/** Tokens that `...` may skip: words, or characters where each is a token. */
function gapMax(name: TableName): number {
  return name === 'ja' || name === 'ko' ? 9 : 3
}

/** Reads every table beside this file. Throws PhraseSyntaxError, naming file and line, when one cannot be read. */
export function loadTables(): Tables {
  const features = loadCatalogue()
  const concepts = loadConcepts()
  const sectionsOf = (name: TableName) =>
    [`phrases/${name}.txt`, `phrases/${name}-topics.txt`]
      .filter((path, index) => index === 0 || existsSync(join(import.meta.dirname, '..', path)))
      .flatMap((path) => readTable(path, apostropheSplits(name)))
  const byName = new Map<TableName, LanguageTables>()
  const tellingWords = new Map<string, Language[]>()
  const englishSections = sectionsOf('en')
  const english = createMatcher(englishSections.filter(isHeard), gapMax('en'))
  const englishFeatures = createMatcher(readNamed('features', 'en', features), gapMax('en'))
  const englishConcepts = createMatcher(readNamed('concepts', 'en', concepts), gapMax('en'))
  for (const name of TABLES) {
    const sections = name === 'en' ? englishSections : sectionsOf(name)
    checkNames(
      sections,
      `${name}.txt`,
      (section) =>
        section in CUES || STEERING.some((known) => known === section) || section.startsWith('words_'),
    )
    const own = name === 'en' ? english : createMatcher(sections.filter(isHeard), gapMax(name))
    const ownFeatures = name === 'en' ? undefined : readNamed('features', name, features)
    const ownConcepts =
      name === 'en' ? englishConcepts : createMatcher(readNamed('concepts', name, concepts), gapMax(name))
    byName.set(name, {
      matcher: name === 'hinglish' ? together(own, english) : own,
      // English names of features are used in every language.
      featureMatcher:
        ownFeatures === undefined
          ? englishFeatures
          : together(createMatcher(ownFeatures, gapMax(name)), englishFeatures),
      conceptMatcher:
        name === 'hi' || name === 'hinglish' ? together(ownConcepts, englishConcepts) : ownConcepts,
      functionWords: wordsOf(
        name === 'hinglish' ? [...sections, ...englishSections] : sections,
        'function_words',
      ),
    })
    for (const language of LANGUAGES) {
      if (language !== name) continue
      for (const word of wordsOf(sections, 'function_words'))
        tellingWords.set(word, [...(tellingWords.get(word) ?? []), language])
    }
  }
  const hinglish = sectionsOf('hinglish')
  const brandMatchers = new Map(
    [true, false].map((splits) => [splits, createMatcher(readTable('phrases/brands.txt', splits), 0)]),
  )
  const [plain = createMatcher([], 0)] = [brandMatchers.get(false)]
  return {
    byName,
    features,
    concepts,
    brandMatcher: (name) => brandMatchers.get(apostropheSplits(name)) ?? plain,
    deviceMatcher: createMatcher(readTable('phrases/devices.txt', false), 0),
    tellingWords,
    hinglishWords: wordsOf(hinglish, 'words_telling'),
    hinglishDoubtful: wordsOf(hinglish, 'words_doubtful'),
  }
}

/** Lists of words are looked up, not listened for. */
function isHeard({ name }: Section): boolean {
  return name !== 'function_words' && !name.startsWith('words_')
}

function together(first: Matcher, second: Matcher): Matcher {
  return (tokens) => [...first(tokens), ...second(tokens)]
}

/** The table of a language whose sections are the names `known` holds. */
function readNamed(
  folder: 'features' | 'concepts',
  name: TableName,
  known: ReadonlyMap<string, unknown>,
): Section[] {
  const sections = readTable(`${folder}/${name}.txt`, apostropheSplits(name))
  checkNames(sections, `${folder}/${name}.txt`, (section) => known.has(section))
  return sections
}

function readTable(path: string, splits: boolean): Section[] {
  return parseTable(readFileSync(join(import.meta.dirname, '..', path), 'utf8'), path, splits)
}

function checkNames(
  sections: readonly Section[],
  fileName: string,
  isKnown: (name: string) => boolean,
): void {
  const unknown = sections.find(({ name }) => !isKnown(name))
  if (unknown !== undefined) throw new PhraseSyntaxError(`${fileName}: there is no section [${unknown.name}]`)
}

/** The single words of a section. */
function wordsOf(sections: readonly Section[], name: string): Set<string> {
  const words = sections.filter((section) => section.name === name).flatMap(({ patterns }) => patterns)
  return new Set(
    words.flatMap((pattern) =>
      pattern.length === 1 && pattern[0]?.kind === 'word' ? [pattern[0].text] : [],
    ),
  )
}

/** The lines of a list beside the tables, each cut at its bars. */
function readList(path: string): string[][] {
  return readFileSync(join(import.meta.dirname, '..', path), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()))
}

/** The catalogue: one feature a line, `slug | label | theme` with `-` for a feature that belongs to no theme, and `| general` at will. */
function loadCatalogue(): Map<string, Feature> {
  const features = new Map<string, Feature>()
  for (const parts of readList('features/catalogue.txt')) {
    const [slug = '', label = '', themeName = '', kind = ''] = parts
    const theme: Theme | null = THEMES.find((known) => known === themeName) ?? null
    if (!/^[a-z0-9-]{2,40}$/.test(slug) || label === '' || (theme === null && themeName !== '-'))
      throw new PhraseSyntaxError(
        `features/catalogue.txt: "${parts.join(' | ')}" is not "slug | label | theme" with or without "| general"`,
      )
    features.set(slug, { slug, label, theme, isGeneral: kind === 'general' })
  }
  return features
}

/** The words wishes are made of: one concept a line, `name | part | weight`. */
function loadConcepts(): Map<string, Concept> {
  const concepts = new Map<string, Concept>()
  for (const parts of readList('concepts/concepts.txt')) {
    const [name = '', partName, weightName] = parts
    const part = CONCEPT_PARTS.find((known) => known === partName)
    const weight = CONCEPT_WEIGHTS.find((known) => known === weightName)
    const isName =
      /^[a-z]+(?:-[a-z]+)*$/.test(name) && name.length >= 2 && name.length <= CONCEPT_NAME_CHARS_MAX
    if (!isName || part === undefined || weight === undefined)
      throw new PhraseSyntaxError(
        `concepts/concepts.txt: "${parts.join(' | ')}" is not "name | ${CONCEPT_PARTS.join('/')} | ${CONCEPT_WEIGHTS.join('/')}"`,
      )
    concepts.set(name, { name, part, weight })
  }
  return concepts
}
