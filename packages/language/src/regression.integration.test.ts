import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inputOf, readLabelled } from '../eval/labelled.ts'
import { type Pair, score } from '../eval/score.ts'
import { createLanguageEngine } from './engine.ts'

/**
 * Floors per field on labelled reviews that are never trained on (`data/<language>/regression.jsonl`): about 0.03 below the figures of the
 * committed model.
 */
const FLOORS = {
  language: 0.96,
  sentiment: 0.77,
  themes: 0.62,
  bug: 0.8,
  request: 0.73,
  severity: 0.71,
  competitor: 0.71,
} as const

const root = new URL('../data/', import.meta.url)
const reviews = readdirSync(root)
  .map((language) => new URL(`${language}/regression.jsonl`, root))
  .filter(existsSync)
  .flatMap((file) => readLabelled(fileURLToPath(file)))
const engine = await createLanguageEngine()

test('the engine keeps its accuracy on held-out reviews', async () => {
  assert.ok(reviews.length > 250, `${reviews.length} reviews`)
  const pairs: Pair[] = []
  for (const review of reviews)
    pairs.push({ gold: review.labels, predicted: await engine(inputOf(review, true)) })
  const { bug, request, competitor, ...others } = score(pairs)
  const figures = { ...others, bug: bug.f1, request: request.f1, competitor: competitor.f1 }
  const low = Object.entries(FLOORS).filter(([field, floor]) => figures[field as keyof typeof FLOORS] < floor)
  assert.deepEqual(low, [], JSON.stringify(figures))
})

const APP = { name: 'Spotify: Music and Podcasts', developer: 'Spotify AB' }
const read = (body: string, rating: number, storefront: 'us' | 'de' | 'br' | 'nl' = 'us', app = APP) =>
  engine({ title: null, body, rating, storefront, app })

test('the engine never names the reviewed app as a competitor', async () => {
  const { competitor_named } = await read('Spotify is better than any other player, I love Spotify', 5)
  assert.equal(competitor_named, null)
})

test('the engine does not mistake a recommendation for a feature request', async () => {
  assert.equal((await read('Everyone should use this app!', 5)).is_feature_request, false)
})

test('the engine claims of a review in a language without word lists only what its stars say', async () => {
  const praise = await read('Ứng dụng rất tuyệt vời, tôi rất thích', 5)
  assert.deepEqual(
    [praise.language, praise.sentiment, praise.is_bug_report, praise.themes, praise.summary_en],
    [
      'vi',
      'positive',
      false,
      ['praise_general'],
      'A review in Vietnamese with 5 of 5 stars, whose text was not read.',
    ],
  )
  const unknown = await read('Aplikacija se stalno ruši, ništa ne radi kako treba', 1)
  assert.deepEqual(
    [unknown.language, unknown.sentiment, unknown.is_bug_report, unknown.summary_en],
    ['und', 'negative', false, 'A review in an unknown language with 1 of 5 stars, whose text was not read.'],
  )
})

test('the engine reports a plain fault as a bug in several languages', async () => {
  for (const [body, storefront] of [
    ['Kan geen account aanmaken', 'nl'],
    ['App stürzt beim Öffnen sofort ab', 'de'],
    ['The app crashes every time I open it', 'us'],
  ] as const)
    assert.equal(
      (await read(body, 1, storefront, { name: 'Acme', developer: 'Acme' })).is_bug_report,
      true,
      body,
    )
})

test('the engine gives a satisfied review low severity', async () => {
  const { severity, sentiment } = await read(
    'Entrega rápida e, quando precisei, devolveram o dinheiro em tempo recorde. Recomendo!',
    5,
    'br',
    { name: 'Loja Boa', developer: 'Loja' },
  )
  assert.deepEqual([severity, sentiment], ['low', 'positive'])
})
