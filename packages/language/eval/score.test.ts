import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Enrichment } from '../../../src/model/enrichment.ts'
import type { Labelled } from './labelled.ts'
import { misses } from './misses.ts'
import { macroF1, type Pair, score, yesNo } from './score.ts'

const GOLD: Labelled['labels'] = {
  language: 'en',
  sentiment: 'negative',
  themes: ['ads'],
  is_feature_request: false,
  feature_key: null,
  is_bug_report: false,
  severity: 'low',
  mentions_competitor: false,
  competitor_named: null,
}
const PREDICTED: Enrichment = {
  language: 'en',
  sentiment: 'negative',
  themes: ['ads'],
  is_feature_request: false,
  feature_slug: null,
  feature_phrase: null,
  is_bug_report: false,
  severity: 'low',
  mentions_competitor: false,
  competitor_named: null,
  other_topic: null,
  summary_en: 'A complaint about ads.',
}
const pair = (gold: Partial<Labelled['labels']>, predicted: Partial<Enrichment>): Pair => ({
  gold: { ...GOLD, ...gold },
  predicted: { ...PREDICTED, ...predicted },
})
const request = (language: string, feature_key: string, feature_slug: string | null): Pair =>
  pair({ language, is_feature_request: true, feature_key }, { is_feature_request: true, feature_slug })

test('precision, recall and F1 are computed from true positives, false positives and false negatives', () => {
  const figures = yesNo([
    [true, true],
    [true, false],
    [false, true],
    [true, true],
    [false, false],
  ])
  assert.deepEqual(figures, { precision: 2 / 3, recall: 2 / 3, f1: 2 / 3 })
  assert.deepEqual(yesNo([[false, false]]), { precision: 0, recall: 0, f1: 0 })
})

test('every class has the same weight in a macro mean, and a class without examples counts 0', () => {
  const answers = [
    ['a', 'a'],
    ['a', 'a'],
    ['b', 'a'],
  ] as const
  assert.equal(macroF1(answers, ['a', 'b']), 0.4)
})

test('themes are counted over all reviews together, and exact only when the sets are equal', () => {
  const figures = score([
    pair({ themes: ['ads', 'ui_ux'] }, { themes: ['ui_ux', 'ads'] }),
    pair({ themes: ['sync'] }, { themes: ['sync', 'battery'] }),
    pair({ themes: ['refund'] }, { themes: ['other'] }),
  ])
  assert.equal(figures.themes, 6 / 9)
  assert.equal(figures.themesExact, 1 / 3)
})

test('a feature agrees across languages only with the same slug', () => {
  const figures = score([
    request('en', 'dark-mode', 'dark-mode'),
    request('fr', 'dark-mode', 'dark-mode'),
    request('de', 'dark-mode', 'night-mode'),
    request('de', 'widget', null),
    request('fr', 'widget', null),
  ])
  assert.equal(figures.slugAcrossLanguages, 1 / 4)
  assert.equal(figures.slugPairs, 2 / 5)
  assert.equal(score([request('en', 'widget', 'widget')]).slugAcrossLanguages, null)
})

test('two different features with one slug lower the precision', () => {
  const figures = score([
    request('en', 'widget', 'more'),
    request('fr', 'widget', 'more'),
    request('fr', 'tags', 'more'),
  ])
  assert.equal(figures.slugPairs, 2 / 4)
})

test('competitor names are compared without regard to case and width', () => {
  const named = { mentions_competitor: true }
  const figures = score([
    pair({ ...named, competitor_named: 'LINE' }, { ...named, competitor_named: 'ＬＩＮＥ' }),
    pair({ ...named, competitor_named: 'Komoot' }, { ...named, competitor_named: null }),
  ])
  assert.equal(figures.competitorName, 0.5)
})

test('the errors of a field and language list false negatives and false positives', () => {
  const review: Labelled = {
    id: 'r1',
    store: 'app_store',
    country: 'us',
    rating: 2,
    title: 'Hm',
    body: 'Ads\nand lag',
    labels: { ...GOLD, themes: ['ads', 'performance'] },
  }
  const predicted: Enrichment = { ...PREDICTED, themes: ['ads', 'battery'] }
  assert.deepEqual(misses([[review, predicted]], 'themes', 'en'), [
    { id: 'r1', rating: 2, text: 'Hm / Ads and lag', gold: '-performance', predicted: '+battery' },
  ])
  assert.deepEqual(misses([[review, predicted]], 'themes', 'de'), [])
  assert.deepEqual(misses([[review, predicted]], 'severity', null), [])
})
