import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SummaryParts, summarize } from './summary.ts'

const NO_DETAILS = { devices: [], versions: [], amounts: [], names: [] }
const FACTS: SummaryParts['facts'] = {
  language: 'de',
  sentiment: 'negative',
  themes: ['login_account'],
  is_feature_request: false,
  feature_slug: null,
  feature_phrase: null,
  is_bug_report: true,
  severity: 'medium',
  mentions_competitor: false,
  competitor_named: null,
  other_topic: null,
}
const SURE: SummaryParts['certainty'] = {
  isSentimentSure: true,
  isBugSure: true,
  isRequestSure: true,
  themes: ['login_account'],
}
type Change = Partial<Omit<SummaryParts, 'facts' | 'certainty'>> & {
  readonly facts?: Partial<SummaryParts['facts']>
  readonly certainty?: Partial<SummaryParts['certainty']>
}
const summaryOf = ({ facts, certainty, ...others }: Change = {}) =>
  summarize({
    request: null,
    topics: [],
    details: NO_DETAILS,
    clause: null,
    ...others,
    facts: { ...FACTS, ...facts },
    certainty: { ...SURE, ...certainty },
  })

test('a summary names a fault and the topics of the review', () => {
  assert.equal(
    summaryOf({ topics: ['email', 'address'], details: { ...NO_DETAILS, devices: ['Pixel 8'] } }),
    'Login or account problem; mentions email, address (Pixel 8).',
  )
})

test('a summary does not assert an uncertain fault', () => {
  assert.equal(summaryOf({ certainty: { isBugSure: false } }), 'Criticises login and account.')
  assert.equal(summaryOf({ facts: { is_bug_report: false } }), 'Criticises login and account.')
})

test('a summary does not name an uncertain theme', () => {
  assert.equal(
    summaryOf({ certainty: { themes: [] }, topics: ['password'] }),
    'Reports a problem; mentions password.',
  )
})

test('a summary is neutral when the sentiment is uncertain', () => {
  const certainty = { isSentimentSure: false, isBugSure: false }
  assert.equal(summaryOf({ certainty }), 'Comments on login and account.')
  assert.equal(summaryOf({ certainty: { ...certainty, themes: [] } }), 'Comments on the app.')
})

test('a summary names a request only when the feature is known, and omits an uncertain one', () => {
  const facts = { is_feature_request: true, is_bug_report: false, sentiment: 'neutral' } as const
  const certainty = { themes: [] }
  assert.equal(summaryOf({ facts, certainty, request: 'Dark mode' }), 'Asks for: Dark mode.')
  assert.equal(summaryOf({ facts, certainty }), 'Asks for a new feature.')
  const isUncertain = { ...certainty, isRequestSure: false }
  assert.equal(
    summaryOf({ facts, certainty: isUncertain, topics: ['map'] }),
    'Comments on the app; mentions map.',
  )
  assert.equal(
    summaryOf({ facts, certainty: isUncertain, request: 'Dark mode' }),
    'Comments on the app; mentions dark mode.',
  )
  assert.equal(
    summaryOf({ facts, certainty: isUncertain, request: 'PDF reader', topics: ['reader', 'files'] }),
    'Comments on the app; mentions PDF reader, files.',
  )
})

test('a summary does not call the theme of a request praised', () => {
  const facts = { is_bug_report: false, sentiment: 'positive' } as const
  assert.equal(summaryOf({ facts }), 'Likes login and account.')
  assert.equal(
    summaryOf({ facts: { ...facts, is_feature_request: true } }),
    'Asks for a new feature. Comments on login and account.',
  )
})

test('a summary keeps the ellipsis of a shortened clause before details', () => {
  const details = { ...NO_DETAILS, devices: ['Pixel 8'] }
  assert.equal(summaryOf({ clause: 'Stops when I...', details }), 'Stops when I... (Pixel 8).')
  assert.equal(summaryOf({ clause: 'It stops.', details }), 'It stops (Pixel 8).')
})

test('a summary omits topics that exceed the word limit', () => {
  const certainty = { isBugSure: false, themes: ['login_account', 'ui_ux'] } as const
  assert.equal(
    summaryOf({
      facts: { is_feature_request: true },
      certainty,
      topics: ['installation', 'reviews and ratings', 'delivery drivers'],
    }),
    'Asks for a new feature. Criticises login and account and design and ease of use; mentions installation, reviews and ratings.',
  )
})

test('a summary does not repeat a topic that the opinion contains', () => {
  assert.equal(
    summaryOf({ certainty: { isBugSure: false }, topics: ['login', 'password'] }),
    'Criticises login and account; mentions password.',
  )
})

test('a summary has at most 20 words', () => {
  const topics = ['reviews and ratings', 'delivery drivers', 'verification code', 'food']
  const details = {
    devices: ['Samsung Galaxy S23', 'Apple Watch SE'],
    versions: ['iOS 17.1'],
    amounts: ['20 €'],
    names: ['Google Fit'],
  }
  const facts = { is_feature_request: true }
  const summary = summaryOf({
    facts,
    topics,
    details,
    request: 'Smartwatch support',
    certainty: { themes: ['login_account', 'sync'] },
  })
  assert.ok(summary.split(' ').length <= 20, summary)
})
