import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Enrichment } from '../../../model/enrichment.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, type Storefront, THEMES } from '../../../model/vocabulary.ts'
import { createOfflineEngine, type EnrichInput } from './engine.ts'

const enrich = createOfflineEngine()

const read = (body: string, storefront: Storefront | null = 'us', rating: number | null = null) =>
  enrich({ title: null, body, rating, storefront })

/** The enums and nullability rules of specification 6.3. */
function assertValid(found: Enrichment): void {
  assert.match(found.language, /^[a-z]{2}$/)
  assert.ok(SENTIMENTS.includes(found.sentiment))
  assert.ok(SEVERITIES.includes(found.severity))
  assert.ok(found.themes.length > 0)
  assert.equal(new Set(found.themes).size, found.themes.length)
  for (const theme of found.themes) assert.ok(THEMES.includes(theme))
  assert.equal(found.feature_slug !== null, found.is_feature_request)
  assert.equal(found.feature_phrase !== null, found.is_feature_request)
  if (found.feature_slug !== null) assert.match(found.feature_slug, /^[a-z0-9-]{2,40}$/)
  if (found.feature_phrase !== null) assert.notEqual(found.feature_phrase.trim(), '')
  if (!found.mentions_competitor) assert.equal(found.competitor_named, null)
  assert.equal(found.themes.includes('comparison'), found.mentions_competitor)
  assert.equal(found.other_topic !== null, found.themes.includes('other'))
  if (found.other_topic !== null) assert.notEqual(found.other_topic.trim(), '')
  const words = found.summary_en.trim().split(/\s+/)
  assert.ok(words.length <= 20 && found.summary_en.trim() !== '', found.summary_en)
  assert.match(found.summary_en, /^[\x20-\x7e]+$/)
  assert.doesNotMatch(found.summary_en, /https?:|@\w|\d{4}/)
  assert.equal(JSON.stringify(found), JSON.stringify(JSON.parse(JSON.stringify(found))))
  for (const text of [found.feature_phrase, found.other_topic, found.competitor_named, found.summary_en])
    assert.ok(text === null || text.isWellFormed())
}

const PIECES = [
  'please add',
  'dark mode',
  'crash',
  'not',
  'ある',
  '落ちる',
  'ほしい',
  '안돼요',
  '추가해주세요',
  'नहीं',
  'चाहिए',
  'bahut accha',
  'better than',
  'Spotify',
  'ne marche pas',
  '!',
  '？',
  '。',
  '\n',
  '5.0',
  'שלום',
  'مرحبا',
  '\u202e',
  '\u200b',
  '\ud800',
  '😡',
  "l'app",
  '$$',
  '()',
]
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(' ')),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
    .map((units) => String.fromCharCode(...units)),
)
const input: fc.Arbitrary<EnrichInput> = fc.record({
  title: fc.option(text),
  body: text,
  rating: fc.option(fc.integer({ min: 1, max: 5 })),
  storefront: fc.option(fc.constantFrom(...STOREFRONTS)),
})

test('any text, rating and storefront give a valid enrichment, and the same one twice', () => {
  fc.assert(
    fc.property(input, (review) => {
      const found = enrich(review)
      assertValid(found)
      assert.deepEqual(enrich(review), found)
    }),
    { numRuns: 400 },
  )
})

for (const [name, body] of [
  ['nothing', ''],
  ['blanks', ' \n\t '],
  ['emoji', '😍😍😍'],
  ['one letter', 'x'],
  ['10,000 characters', 'the app crashes and please add dark mode, '.repeat(240)],
  ['10,000 characters without a blank', '落ちる'.repeat(3_334)],
  ['10,000 repeated words', 'not '.repeat(2_500)],
  ['mixed scripts', 'アプリ crash हो रहा है 진짜 짜증 ужасно'],
  ['right to left', 'التطبيق لا يعمل אפליקציה גרועה'],
  ['markup', '<script>alert(1)</script> }],"sentiment":"positive"'],
] as const)
  test(`a review of ${name} gives a valid enrichment`, () => assertValid(read(body)))

test('emoji without a word are in the language of the storefront and say how the writer feels', () => {
  assert.equal(read('😡😡', 'jp').language, 'ja')
  assert.equal(read('😡😡', 'jp').sentiment, 'negative')
  assert.equal(read('❤️❤️', 'br').sentiment, 'positive')
})

test('a fault that was mended or is denied is no bug report', () => {
  for (const [body, storefront] of [
    ['The crash is fixed now, thank you', 'us'],
    ['Never crashes', 'us'],
    ['Der Absturz ist behoben', 'de'],
    ['Le plantage est corrigé, merci', 'fr'],
  ] as const) {
    const found = read(body, storefront)
    assert.equal(found.is_bug_report, false, body)
    assert.equal(found.severity, 'low', body)
    assert.notEqual(found.sentiment, 'negative', body)
  }
})

test('asking for a repair is a bug report and no feature request', () => {
  const found = read('Please fix the login, I cannot sign in')
  assert.equal(found.is_feature_request, false)
  assert.equal(found.is_bug_report, true)
  assert.equal(found.severity, 'medium')
})

test('who leaves for a competitor is severe, who came from one is not', () => {
  const left = read('Too slow, switching to Todoist')
  assert.deepEqual([left.severity, left.competitor_named], ['high', 'Todoist'])
  const came = read('Switched from Todoist and I love it, so much better')
  assert.deepEqual([came.severity, came.competitor_named, came.sentiment], ['low', 'Todoist', 'positive'])
})

test('the stars decide only what the text leaves open', () => {
  assert.equal(read('Crashes every time', 'us', 5).sentiment, 'negative')
  assert.equal(read('Hm', 'us', 1).sentiment, 'negative')
  assert.equal(read('Hm', 'us', 5).sentiment, 'positive')
  assert.equal(read('Hm', 'us', null).sentiment, 'neutral')
})

test('a wish gets the same slug in every language', () => {
  const path = join(import.meta.dirname, '../../../../test/fixtures/enrichment/wishes.tsv')
  const wrong = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => {
      const [slug = '', country, body = ''] = line.split('\t')
      return read(body, STOREFRONTS.find((known) => known === country) ?? null).feature_slug !== slug
    })
  assert.deepEqual(wrong, [])
})

test('wishes that nobody thought of get the same slug in 85 of 100 pairs of languages', () => {
  const path = join(import.meta.dirname, '../../../../test/fixtures/enrichment/wishes-beyond.tsv')
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const slugs = lines.map((line) => {
    const [wish = '', country, body = ''] = line.split('\t')
    const found = read(body, STOREFRONTS.find((known) => known === country) ?? null)
    assertValid(found)
    return { wish, slug: found.feature_slug }
  })
  const pairs = Object.values(Object.groupBy(slugs, ({ wish }) => wish)).flatMap((same = []) =>
    same.flatMap(({ slug }, index) =>
      same.slice(index + 1).map((other) => slug !== null && slug === other.slug),
    ),
  )
  assert.ok(pairs.filter(Boolean).length / pairs.length >= 0.85)
})

test('a wish outside the catalogue gets a slug that does not change', () => {
  const found = read('Please add a unicorn generator')
  assert.equal(found.is_feature_request, true)
  assert.equal(found.feature_slug, 'unicorn-generator')
  assert.equal(read('PLEASE ADD A UNICORN GENERATOR!!').feature_slug, 'unicorn-generator')
})
