import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createLanguageEngine } from '../../../packages/language/src/engine.ts'
import type { Enrichment } from '../../model/enrichment.ts'
import { REVIEW_LANGUAGE } from '../../model/review-language.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../model/vocabulary.ts'
import { accept } from './llm/accept.ts'

const CONTRACT_THEMES =
  'stability_crash performance battery data_loss sync login_account billing_payment refund pricing_value ads ui_ux ' +
  'onboarding bug_general notifications privacy_security customer_support content_quality compatibility localization ' +
  'update_regression praise_general comparison other'

const enrich = await createLanguageEngine()

/** Checks every rule of docs/contract.md, enrichment. */
function assertValid(enrichment: Enrichment): void {
  const { themes } = enrichment
  assert.match(enrichment.language, REVIEW_LANGUAGE)
  assert.ok(SENTIMENTS.includes(enrichment.sentiment))
  assert.ok(SEVERITIES.includes(enrichment.severity))
  assert.ok(themes.length > 0)
  assert.equal(new Set(themes).size, themes.length)
  assert.ok(themes.every((theme) => THEMES.includes(theme)))
  assert.equal(themes.includes('comparison'), enrichment.mentions_competitor)
  assert.equal(enrichment.feature_slug !== null, enrichment.is_feature_request)
  assert.equal(enrichment.feature_phrase !== null, enrichment.is_feature_request)
  if (enrichment.feature_slug !== null) {
    assert.match(enrichment.feature_slug, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    assert.ok(enrichment.feature_slug.length >= 2 && enrichment.feature_slug.length <= 40)
  }
  if (enrichment.feature_phrase !== null) assert.notEqual(enrichment.feature_phrase.trim(), '')
  if (!enrichment.mentions_competitor) assert.equal(enrichment.competitor_named, null)
  assert.equal(enrichment.other_topic !== null, themes.includes('other'))
  for (const label of [enrichment.competitor_named, enrichment.other_topic, enrichment.feature_phrase]) {
    assert.ok((label ?? '').length <= 120)
    assert.ok(isPrintable(label ?? ''))
  }
  const words = enrichment.summary_en.trim().split(/\s+/)
  assert.ok(words.length <= 20 && words[0] !== '')
  assert.ok(isPrintable(enrichment.summary_en))
}

/** Also checks that the summary of the offline engine has only its own words. */
function assertValidOffline(enrichment: Enrichment): void {
  assertValid(enrichment)
  assert.match(enrichment.summary_en, /^[\x20-\x7e€£¥₹]+$/u)
  assert.doesNotMatch(enrichment.summary_en, /https?:|@\w|\d{5}/)
  assert.deepEqual(JSON.parse(JSON.stringify(enrichment)), enrichment)
}

/** Storage rejects unpaired surrogates and NUL, and a failed commit would delay events. */
function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text)
}

test('the vocabularies match the contract', () => {
  assert.deepEqual([...THEMES], CONTRACT_THEMES.split(' '))
  assert.equal(THEMES.length, 23)
  assert.deepEqual([...SENTIMENTS].sort(), ['mixed', 'negative', 'neutral', 'positive'])
  assert.deepEqual([...SEVERITIES], ['low', 'medium', 'high'])
})

/** Words of the word lists, so that arbitrary texts reach every rule. */
const WORDS =
  'crash great app please add dark mode not no longer fixed but better than Spotify update since refund charged twice ' +
  'nicht gut aber Werbung bitte Passwort pas de pub mais lent no funciona pero gracias 落ちる ない 最高 ほしい 広告 안 돼요 좋아요 광고 ' +
  'नहीं अच्छा विज्ञापन bahut bekar nahi hai 😀 🙃 … ! ? . , ( " 5.0 100% שלום مرحبا ？ 。 $$ () l\u2019app \u202e \u200b \ud83d ＬＩＮＥ ﬁ İ ß æ क्षि'
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(fc.oneof(fc.constantFrom(...WORDS.split(' ')), fc.string({ maxLength: 5 })), { maxLength: 60 })
    .map((words) => words.join(' ')),
)
const anyInput = fc.record({
  title: fc.option(anyText),
  body: anyText,
  rating: fc.option(fc.integer({ min: 1, max: 5 })),
  storefront: fc.option(fc.constantFrom(...STOREFRONTS)),
  app: fc.option(fc.record({ name: anyText, developer: fc.option(anyText) })),
})

test('the offline engine returns a valid enrichment for any text', async () => {
  await fc.assert(
    fc.asyncProperty(anyInput, async (input) => assertValidOffline(await enrich(input))),
    { numRuns: 200 },
  )
})

test('a review always gets the same enrichment, whatever was enriched before it', async () => {
  await fc.assert(
    fc.asyncProperty(anyInput, anyInput, async (one, other) => {
      const first = await enrich(one)
      await enrich(other)
      assert.deepEqual(await enrich(one), first)
    }),
    { numRuns: 50 },
  )
})

const EDGE_CASES: Readonly<Record<string, string>> = {
  'no text': '',
  'only blanks': ' \n\t\u3000 ',
  'only emoji': '😡😡😡',
  'only punctuation': '?!?!... ---',
  'only digits': '12345 67',
  'one letter': 'x',
  markup: '<script>alert(1)</script> }],"sentiment":"positive"',
  '10,000 characters': 'The app crashes, but I like it, please add dark mode. '.repeat(186),
  '10,000 characters of one word': 'not '.repeat(2_500),
  '10,000 characters without a blank': 'a'.repeat(10_000),
  '10,000 Japanese characters': '広告が多いです'.repeat(1_429),
  'mixed scripts': 'Great app अच्छा है 最高です 좋아요 but it crashes',
  'right-to-left text': 'التطبيق ممتاز لكنه يتعطل كثيرا',
  'direction control characters': '\u202eebircsbusnu\u202c this app \u2066crashes\u2069',
  'an unpaired surrogate': 'great \ud83d app \udc4d',
  'a language without word lists': 'Приложение постоянно вылетает, верните деньги',
  'a feature request in surrogate pairs': `please add x${'\u{10428}'.repeat(60)}`,
  'a competitor in surrogate pairs': `so slow, switching to A${'\u{10428}'.repeat(60)}`,
  'combining marks': `z${'\u0301'.repeat(500)}algo`,
}
for (const [name, body] of Object.entries(EDGE_CASES)) {
  test(`a review with ${name} gets a valid enrichment for any stars or none`, async () => {
    for (const rating of [null, 1, 3, 5])
      assertValidOffline(await enrich({ title: null, body, rating, storefront: null, app: null }))
    assertValidOffline(await enrich({ title: body, body, rating: 1, storefront: 'in', app: null }))
  })
}

test('stars decide for a review without text', async () => {
  const sentiment = async (rating: number | null) =>
    (await enrich({ title: null, body: '', rating, storefront: 'us', app: null })).sentiment
  assert.deepEqual(await Promise.all([1, 3, 5, null].map(sentiment)), [
    'negative',
    'neutral',
    'positive',
    'neutral',
  ])
})

const anyItem = fc.record({
  id: fc.string(),
  language: fc.oneof(fc.constantFrom('en', 'pt-BR', 'DE', 'english', ''), fc.string()),
  sentiment: fc.oneof(fc.constantFrom(...SENTIMENTS), fc.string()),
  themes: fc.array(fc.oneof(fc.constantFrom(...THEMES), fc.string()), { maxLength: 5 }),
  is_feature_request: fc.boolean(),
  feature_slug: fc.option(fc.oneof(fc.constantFrom('dark-mode', '<script>', 'a', '-x-'), fc.string())),
  feature_phrase: fc.option(anyText),
  is_bug_report: fc.boolean(),
  severity: fc.oneof(fc.constantFrom(...SEVERITIES), fc.string()),
  mentions_competitor: fc.boolean(),
  competitor_named: fc.option(fc.oneof(fc.constantFrom('Spotify'), anyText)),
  other_topic: fc.option(anyText),
  summary_en: fc.oneof(fc.constantFrom('It crashes.', 'word '.repeat(21), 'see http://a.example'), anyText),
})

const CAME_FROM_SPOTIFY = { title: null, body: 'I came from Spotify', app: null }

test('every accepted model answer is a valid enrichment', () => {
  fc.assert(
    fc.property(anyItem, (item) => {
      const accepted = accept(item, CAME_FROM_SPOTIFY)
      if (accepted.kind === 'accepted') assertValid(accepted.enrichment)
      else assert.ok(accepted.problems.length > 0)
    }),
    { numRuns: 3_000 },
  )
})

test('a valid model answer is accepted', () => {
  const accepted = accept(
    {
      id: 'a',
      language: 'pt-BR',
      sentiment: 'mixed',
      themes: ['other', 'comparison'],
      is_feature_request: true,
      feature_slug: 'dark-mode',
      feature_phrase: null,
      is_bug_report: false,
      severity: 'low',
      mentions_competitor: true,
      competitor_named: 'spotify',
      other_topic: null,
      summary_en: 'Wants a dark mode, as Spotify has one.',
    },
    CAME_FROM_SPOTIFY,
  )
  assert.equal(accepted.kind, 'accepted')
  if (accepted.kind === 'accepted') assertValid(accepted.enrichment)
})
