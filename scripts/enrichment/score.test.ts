import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Judged, score } from './score.ts'

const gold: Judged['gold'] = {
  language: 'en',
  sentiment: 'negative',
  themes: ['ads', 'performance'],
  is_feature_request: true,
  feature_key: 'dark-mode',
  is_bug_report: true,
  severity: 'medium',
  mentions_competitor: false,
  competitor_named: null,
}
const predicted: Judged['predicted'] = {
  ...gold,
  themes: ['ads', 'sync'],
  feature_slug: 'dark-mode',
  feature_phrase: 'Dark mode',
  other_topic: null,
  summary_en: 'Complains about ads.',
}

test('themes are scored over all labels, half right here', () => {
  assert.equal(score([{ gold, predicted }]).themes, 0.5)
})

test('a class nobody has counts as zero in the mean over classes', () => {
  assert.equal(score([{ gold, predicted }]).sentiment, 0.25)
  assert.equal(score([{ gold, predicted }]).severity, 0.333)
})

test('slugs agree across languages only when the same feature got the same slug', () => {
  const german = (slug: string): Judged => ({
    gold: { ...gold, language: 'de' },
    predicted: { ...predicted, feature_slug: slug },
  })
  assert.equal(score([{ gold, predicted }, german('dark-mode')]).slugAgreement, 1)
  assert.equal(score([{ gold, predicted }, german('night')]).slugAgreement, 0)
  assert.equal(score([{ gold, predicted }]).slugAgreement, null)
})

test('a summary of 21 words, with an address or in another script is not sound', () => {
  for (const summary_en of ['w '.repeat(21), 'see https://x.y', '広告', ' '])
    assert.equal(score([{ gold, predicted: { ...predicted, summary_en } }]).summary, 0)
})
