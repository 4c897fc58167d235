import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { THEMES } from '../../../model/vocabulary.ts'
import { CUES, STEERING } from './cues.ts'
import { LANGUAGES, type Language } from './language/detect.ts'
import { TABLES } from './language/grammar.ts'
import { loadCatalogue, loadConcepts, loadDescriptions } from './phrases/catalogue.ts'
import { WANTING } from './read/described.ts'

const linesOf = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8').split('\n')
const filesNamed = (pattern: string) => globSync(pattern, { cwd: import.meta.dirname })

/** The sections of all tables of one folder and language. */
const sectionsOf = (pattern: string) =>
  new Set(
    filesNamed(pattern)
      .flatMap(linesOf)
      .flatMap((line) => /^\[([a-z0-9_-]+)\]/.exec(line)?.[1] ?? []),
  )

const missingFrom = (pattern: string, names: readonly string[]) => {
  const there = sectionsOf(pattern)
  return names.filter((name) => !there.has(name))
}

/** Found by the engine without a section of its own. */
const WITHOUT_SECTION = new Set(['other', 'comparison'])

test('every theme can be found: a section means it, or the engine adds it', () => {
  const meant = new Set(Object.values(CUES).map(({ theme }) => theme))
  for (const theme of THEMES) assert.ok(meant.has(theme) || WITHOUT_SECTION.has(theme), theme)
})

/** Sections that nobody has written yet; denials are part of the verb in Japanese and Korean, so their phrases hold them. */
const GAPS: Partial<Record<Language, readonly string[]>> = {
  fr: ['sync_good'],
  es: ['sync_good'],
  it: ['sync_good'],
  nl: ['sync_good'],
  sv: ['sync_good'],
  pt: ['sync_good'],
  ja: ['negator', 'ui_broken'],
  ko: ['negator', 'ui_broken'],
  hi: ['ui_broken'],
}

test('every language can say everything that counts', () => {
  for (const language of LANGUAGES) {
    const said = sectionsOf(`phrases/${language}{,-topics}.txt`)
    const missing = [...Object.keys(CUES), ...STEERING].filter((section) => !said.has(section))
    assert.deepEqual(missing.sort(), GAPS[language] ?? [], language)
  }
})

/** Called the same wherever Latin letters are written; the English table is read for every language. */
const INTERNATIONAL = new Set(
  'live-activities airplay siri google-assistant alexa strava api gif markdown midi'.split(' '),
)
const LATIN = new Set(['de', 'fr', 'es', 'it', 'nl', 'sv', 'pt'])

test('every feature of the catalogue can be named in every language', () => {
  const slugs = [...loadCatalogue().keys()]
  for (const language of LANGUAGES) {
    const named = sectionsOf(`features/${language}.txt`)
    const missing = slugs.filter(
      (slug) => !named.has(slug) && !(LATIN.has(language) && INTERNATIONAL.has(slug)),
    )
    assert.deepEqual(missing, [], language)
  }
})

test('every concept can be said in every language', () => {
  const names = [...loadConcepts().keys()]
  for (const language of LANGUAGES) {
    assert.deepEqual(missingFrom(`concepts/${language}.txt`, names), [], language)
  }
})

test('every clue that features are described with can be heard in every language', () => {
  const concepts = loadConcepts()
  const told = loadDescriptions(loadCatalogue()).flatMap(({ clues }) => clues.flat())
  const clues = new Set([WANTING, ...told.filter((name) => !concepts.has(name))])
  for (const table of TABLES) assert.deepEqual(sectionsOf(`clues/${table}.txt`), clues, table)
})

test('every feature of the catalogue has example wishes in every language', () => {
  const slugs = [...loadCatalogue().keys()]
  for (const table of TABLES) assert.deepEqual(missingFrom(`examples/${table}.txt`, slugs), [], table)
})

const COLUMNS_MAX = 120
/** Signs that take two columns in an editor. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu

test('no line of a table is too long to be read by a person', () => {
  const paths = filesNamed('{phrases,features,concepts,clues,examples}/*.txt')
  assert.ok(paths.length > TABLES.length * 5)
  const long = paths.flatMap((path) =>
    linesOf(path).flatMap((line, index) =>
      line.replace(WIDE, '$&$&').length > COLUMNS_MAX ? [`${path}:${index + 1}`] : [],
    ),
  )
  assert.deepEqual(long, [])
})
