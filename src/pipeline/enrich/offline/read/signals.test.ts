import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Storefront } from '../../../../model/vocabulary.ts'
import { createOfflineEngine } from '../engine.ts'
import { createMatcher } from '../phrases/matcher.ts'
import { parseTable } from '../phrases/table.ts'
import { segment } from '../text/segments.ts'
import { readSignals } from './signals.ts'

const engine = createOfflineEngine()
const read = (body: string, storefront: Storefront = 'us') =>
  engine({ title: null, body, rating: 2, storefront })

test('what ads keep one from is no fault of the app', () => {
  const { is_bug_report, themes } = read('An ad before every article, impossible to play')
  assert.deepEqual({ is_bug_report, themes }, { is_bug_report: false, themes: ['ads'] })
})

test('a complaint of the theme of a wish beside it is its reason', () => {
  const { is_bug_report, severity, is_feature_request } = read(
    'Please add fingerprint login, I have to log in again every time',
  )
  assert.deepEqual(
    { is_bug_report, severity, is_feature_request },
    { is_bug_report: false, severity: 'low', is_feature_request: true },
  )
})

test('a judgement without a theme does not cover one that has one', () => {
  assert.deepEqual(read('Viel zu umständlich für das bisschen Funktion', 'de').themes, ['ui_ux'])
})

test('a bright screen that hurts is no crash', () => {
  const { is_bug_report, themes } = read('The white screen is blinding at night')
  assert.deepEqual({ is_bug_report, themes }, { is_bug_report: false, themes: ['ui_ux'] })
})

test('a denial after an "and" is about what follows', () => {
  assert.equal(read('Die Filter sind schön und nicht übertrieben', 'de').sentiment, 'positive')
})

test('a break-in is never covered by the trouble it makes with signing in', () => {
  assert.equal(read('Mijn account is gehackt en ik kan niet meer inloggen', 'nl').severity, 'high')
})

test('a wish between two kinds of devices is no trouble with sync', () => {
  const { is_bug_report } = read(
    'I would love a version for my watch so I can leave the phone at home, but please soon',
  )
  assert.equal(is_bug_report, false)
})

test('wrong content is no malfunction', () => {
  const { is_bug_report, themes, severity } = read(
    'The questions are full of mistakes, the answers are wrong',
  )
  assert.deepEqual(
    { is_bug_report, themes, severity },
    { is_bug_report: false, themes: ['content_quality'], severity: 'low' },
  )
})

test('text over a symbol is a slight fault of the looks', () => {
  const { is_bug_report, themes, severity } = read('Im Menü überlappt der Text das Symbol', 'de')
  assert.deepEqual(
    { is_bug_report, themes, severity },
    { is_bug_report: true, themes: ['ui_ux'], severity: 'low' },
  )
})

test('what was made better by an update belongs to the update', () => {
  assert.deepEqual(read('Bien plus fluide depuis la dernière mise à jour', 'fr').themes, [
    'performance',
    'update_regression',
  ])
})

test('a word that only begins like a complaint or a fault is none', () => {
  const innocent = [
    ['trabajo en el campo', 'es'],
    ['o chat com a professora', 'br'],
    ['un giro in spiaggia', 'it'],
    ['les panneaux de la balade', 'fr'],
    ['ich bin schon da', 'de'],
    ['vi står i kassan', 'se'],
  ] as const
  for (const [text, country] of innocent) {
    const { is_bug_report, themes } = read(text, country)
    assert.deepEqual({ text, is_bug_report }, { text, is_bug_report: false })
    assert.ok(!themes.includes('performance') && !themes.includes('privacy_security'), text)
  }
})

test('a phrase repeats another of its section in the same words, not one in fewer words or of another section', () => {
  const sections = parseTable(
    '[good]\nvery (nice)?, very nice, nice app\n[praise] nice app',
    'made-up.txt',
    false,
  )
  const { signals } = readSignals(segment('very nice app', false).segments, {
    matcher: createMatcher(sections, 3),
    negation: { before: 3, after: 0 },
    joiningWords: new Set(),
  })
  assert.deepEqual(
    signals.map(({ cue, repeats }) => [cue, repeats]),
    [
      ['good', false],
      ['good', true],
      ['good', false],
      ['praise', false],
    ],
  )
})
