import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contextWith,
  dropWith,
  recoveryWith,
  reviewWith,
  spikeWith,
} from '../../../test/support/chat/message-events.ts'
import { contentOf } from './content.ts'
import type { MessageEvent } from './target.ts'

test('a message shows the severity of a bug, and that of another review only when it is high', () => {
  const factsOf = (is_bug_report: boolean, severity: 'low' | 'high') =>
    contentOf(reviewWith({}, { is_bug_report, severity }), contextWith()).facts.slice(0, 2)
  assert.deepEqual(factsOf(true, 'low'), ['Mixed', 'Bug, low severity'])
  assert.deepEqual(factsOf(false, 'high'), ['Mixed', 'High severity'])
  assert.deepEqual(factsOf(false, 'low'), ['Mixed', 'Request: Dark mode'])
})

test('a message shows a request, a competitor and another topic also without their names', () => {
  const { facts } = contentOf(
    reviewWith(
      {},
      {
        is_bug_report: false,
        severity: 'low',
        feature_phrase: null,
        mentions_competitor: true,
        themes: ['other'],
        other_topic: 'delivery times',
      },
    ),
    contextWith(),
  )
  assert.deepEqual(facts, ['Mixed', 'Feature request', 'Mentions a competitor', 'delivery times'])
})

test('a message names the store in the link, and has the flag of the storefront', () => {
  const google = contentOf(reviewWith({ store: 'google', country: 'br' }), contextWith())
  assert.deepEqual(
    google.links.map(({ label }) => label),
    ['Open in Review Radar', 'Open in Google Play'],
  )
  assert.deepEqual(google.origin.slice(0, 3), ['Notes & Lists', 'Google Play', '🇧🇷 BR'])
})

test('a right-to-left title or author does not reorder the line', () => {
  const { heading, origin } = contentOf(reviewWith({ title: 'سيء (1)', author: 'שרה' }), contextWith())
  assert.equal(heading, '★★★☆☆ \u2068سيء (1)\u2069')
  assert.ok(origin.includes('\u2068שרה\u2069'))
})

test('a rating drop without a storefront names none', () => {
  const { heading, origin } = contentOf(dropWith(), contextWith({ country: null }))
  assert.equal(heading, 'Rating drop: 4.50 → 4.40')
  assert.deepEqual(origin, ['Notes & Lists', 'App Store', '15 Jan 2026'])
})

test('a spike shows its number, the usual one, its hour and its storefronts', () => {
  const { heading, tone, facts, origin } = contentOf(spikeWith(), contextWith())
  assert.equal(heading, 'Spike of negative reviews: 12 in an hour · US')
  assert.equal(tone, 'bad')
  assert.deepEqual(facts, [
    'Usually 0.5 an hour',
    '24 times the usual number',
    'Newest 3: 2 with 1 star, 1 with 2 stars',
  ])
  assert.deepEqual(origin, ['Notes & Lists', 'App Store', '🇺🇸 US', '15 Jan 2026, 08:30 to 09:30 UTC'])
})

test('a spike of many storefronts, of a quiet app', () => {
  const countries = ['us', 'gb', 'de', 'fr', 'it'] as const
  const quiet = spikeWith({ usual_count: 0.003, factor: 4_000, review_count: 3, countries: [...countries] })
  const reviews = quiet.reviews.map((review) => ({ ...review, rating: 1 }))
  const { heading, facts, origin } = contentOf({ ...quiet, reviews }, contextWith())
  assert.equal(heading, 'Spike of negative reviews: 3 in an hour')
  assert.deepEqual(facts, ['Usually almost none', '3 reviews: 1 star'])
  assert.equal(origin[2], '5 storefronts')
})

test('a recovery shows the rating before the drop and the lowest one', () => {
  const { heading, tone, facts } = contentOf(recoveryWith(), contextWith())
  assert.equal(heading, 'Rating recovery: 4.46 → 4.51 · US')
  assert.equal(tone, 'good')
  assert.deepEqual(facts, ['4.50 before the drop of 9 Jan 2026', 'Lowest 4.38', '13,204 ratings'])
})

test('an event of a later version has a message too', () => {
  const event = { ...dropWith(), event_type: 'rating.archived' } as unknown as MessageEvent
  assert.equal(contentOf(event, contextWith()).heading, 'Rating archived')
})

test('texts without a visible character count as absent', () => {
  const nothing = '\u200B \u202E'
  const { heading, quote, facts, origin } = contentOf(
    reviewWith(
      { title: nothing, body: nothing, author: nothing, app_version: nothing },
      {
        feature_phrase: nothing,
        mentions_competitor: true,
        competitor_named: nothing,
        themes: ['other'],
        other_topic: nothing,
      },
    ),
    contextWith({ appName: nothing }),
  )
  assert.deepEqual([heading, quote], ['★★★☆☆', null])
  assert.deepEqual(facts, ['Mixed', 'Bug, high severity', 'Feature request', 'Mentions a competitor'])
  assert.deepEqual(origin, ['123456789', 'App Store', '🇺🇸 US', '15 Jan 2026'])
})
