import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { THEMES } from '../../../model/vocabulary.ts'
import { CUES, STEERING } from './cues.ts'
import { LANGUAGES } from './language/detect.ts'
import { TABLES } from './phrases/load.ts'

const sectionsOf = (path: string) =>
  new Set(
    [...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/^\[([a-z0-9_-]+)\]/gm)].map(
      ([, name]) => name,
    ),
  )

/** Read from the catalogue, from the brands, or by the engine itself instead of from a section of every table. */
const WITHOUT_SECTION = new Set(['other', 'comparison'])

test('every theme can be found: a section means it, or the engine adds it', () => {
  const meant = new Set(Object.values(CUES).map(({ theme }) => theme))
  for (const theme of THEMES) assert.ok(meant.has(theme) || WITHOUT_SECTION.has(theme), theme)
})

test('no table has a section that means nothing', () => {
  for (const table of TABLES)
    for (const section of [
      ...sectionsOf(`phrases/${table}.txt`),
      ...(existsSync(join(import.meta.dirname, `phrases/${table}-topics.txt`))
        ? sectionsOf(`phrases/${table}-topics.txt`)
        : []),
    ])
      assert.ok(
        section !== undefined &&
          (section in CUES || STEERING.some((known) => known === section) || section.startsWith('words_')),
        `${table}: ${section}`,
      )
})

test('every language can say every fault, request and judgement', () => {
  const needed = [
    'crash',
    'slow',
    'bug',
    'data_lost',
    'payment_bad',
    'refund',
    'login_bad',
    'sync_topic',
    'notif_bad',
  ]
  needed.push(
    'drain',
    'ads_bad',
    'pricey',
    'ui_bad',
    'privacy_bad',
    'support_gone',
    'content_bad',
    'l10n_bad',
  )
  needed.push(
    'update_since',
    'onboarding_bad',
    'praise',
    'good',
    'bad',
    'meh',
    'churn',
    'fixed',
    'request',
    'lack',
  )
  needed.push('question', 'compare', 'sarcasm', 'function_words')
  for (const table of TABLES) {
    const sections = sectionsOf(`phrases/${table}.txt`)
    for (const section of needed)
      assert.ok(table === 'hinglish' ? true : sections.has(section), `${table}: ${section}`)
  }
})

test('the catalogue holds at least 120 features, and every phrase file only those', () => {
  const catalogue = new Set(
    readFileSync(join(import.meta.dirname, 'features/catalogue.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(' | ')[0]),
  )
  assert.ok(catalogue.size >= 120, String(catalogue.size))
  assert.deepEqual(sectionsOf('features/en.txt'), catalogue)
  for (const table of TABLES)
    for (const section of sectionsOf(`features/${table}.txt`))
      assert.ok(catalogue.has(section), `${table}: ${section}`)
})

/** Called the same wherever Latin letters are written; the English table is read for every language. */
const INTERNATIONAL = new Set(
  'live-activities airplay siri google-assistant alexa strava api gif markdown midi'.split(' '),
)
const LATIN = new Set(['de', 'fr', 'es', 'it', 'nl', 'sv', 'pt'])

test('every feature of the catalogue can be named in every language', () => {
  const catalogue = readFileSync(join(import.meta.dirname, 'features/catalogue.txt'), 'utf8')
  const slugs = [...catalogue.matchAll(/^([a-z0-9-]+) \|/gm)].map(([, slug = '']) => slug)
  assert.ok(slugs.length > 200)
  for (const table of LANGUAGES) {
    const named = sectionsOf(`features/${table}.txt`)
    const missing = slugs.filter((slug) => !named.has(slug) && !(LATIN.has(table) && INTERNATIONAL.has(slug)))
    assert.deepEqual(missing, [], table)
  }
})

test('every concept can be said in every language', () => {
  const list = readFileSync(join(import.meta.dirname, 'concepts/concepts.txt'), 'utf8')
  const names = [...list.matchAll(/^([a-z-]+) \|/gm)].map(([, name = '']) => name)
  assert.ok(names.length > 300)
  for (const table of LANGUAGES) {
    const said = sectionsOf(`concepts/${table}.txt`)
    assert.deepEqual(
      names.filter((name) => !said.has(name)),
      [],
      table,
    )
  }
})

const COLUMNS_MAX = 120
/** Signs that take two columns in an editor. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu

test('no line of a table is too long to be read by a person', () => {
  const paths = globSync('{phrases,features,concepts}/*.txt', { cwd: import.meta.dirname })
  assert.ok(paths.length > TABLES.length * 3)
  const long = paths.flatMap((path) =>
    readFileSync(join(import.meta.dirname, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.replace(WIDE, '$&$&').length > COLUMNS_MAX ? [`${path}:${index + 1}`] : [],
      ),
  )
  assert.deepEqual(long, [])
})
