import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_HOOK_OPTIONS } from '../model/hook-options.ts'
import { STOREFRONTS } from '../model/vocabulary.ts'
import { HOOK_OPTION_OF_FIELD, subscribeBodyOf } from './hook.ts'

const schema = subscribeBodyOf(['api', 'zapier', 'platform_1'], (url) =>
  url.startsWith('http') ? null : 'target_url must begin with http:// or https://.',
)
const reviews = {
  target_url: 'https://example.com/hook',
  store: 'apple',
  app_id: '1',
  event_type: 'review.created',
}
const ratings = { ...reviews, event_type: 'rating.dropped' }

/** The error messages for a body; empty when it is valid. */
function errorsOf(body: unknown): string[] {
  return schema.safeParse(body).error?.issues.map((issue) => issue.message) ?? []
}

test('a body with only the required fields is accepted', () => {
  assert.deepEqual(errorsOf(reviews), [])
})

test('a missing or null required field is named with the allowed values', () => {
  for (const field of ['target_url', 'store', 'app_id', 'event_type']) {
    for (const value of [undefined, null]) {
      const [message = ''] = errorsOf({ ...reviews, [field]: value })
      assert.match(message, new RegExp(`^${field} is required: it must be .+\\.$`))
    }
  }
})

test('an invalid target is reported with the other errors', () => {
  const target = 'target_url must begin with http:// or https://.'
  assert.deepEqual(errorsOf({ ...reviews, target_url: 'ftp://example.com/', store: 'windows' }), [
    target,
    'store must be "apple" or "google", not "windows".',
  ])
  assert.deepEqual(errorsOf({ ...reviews, target_url: 'ftp://example.com/', min_stars: 5, max_stars: 2 }), [
    target,
    'min_stars must be at most max_stars: 5 is above 2.',
  ])
})

test('null means not given for every optional field', () => {
  const nulls = {
    min_stars: null,
    max_stars: null,
    delta: null,
    threshold: null,
    country: null,
    source: null,
    external_ref: null,
  }
  assert.deepEqual(errorsOf({ ...reviews, ...nulls }), [])
})

test('stars are whole JSON numbers from 1 to 5', () => {
  for (const field of ['min_stars', 'max_stars'] as const) {
    for (const stars of [1, 2, 3, 4, 5]) {
      const rest = field === 'min_stars' ? {} : { min_stars: 1 }
      assert.deepEqual(errorsOf({ ...reviews, ...rest, [field]: stars }), [])
    }
    for (const bad of [0, 6, 2.5, -1, '3', true, [], {}, 1e300]) {
      const messages = errorsOf({ ...reviews, [field]: bad })
      assert.ok(
        messages.some((text) => text.startsWith(`${field} must be a whole number from 1 to 5, not `)),
        String(bad),
      )
    }
  }
})

test('a star band is rejected exactly when its lower bound is above its upper bound', () => {
  const stars = fc.integer({ min: 1, max: 5 })
  fc.assert(
    fc.property(stars, stars, (min_stars, max_stars) => {
      assert.equal(errorsOf({ ...reviews, min_stars, max_stars }).length > 0, min_stars > max_stars)
    }),
  )
})

test('delta is a number from 0 to 4, and threshold is a number from 1 to 5', () => {
  for (const delta of [0, 0.1, 4]) assert.deepEqual(errorsOf({ ...ratings, delta }), [])
  for (const delta of [-0.1, 4.01, '1', true])
    assert.match(errorsOf({ ...ratings, delta })[0] ?? '', /^delta must be/)
  for (const threshold of [1, 4.25, 5]) assert.deepEqual(errorsOf({ ...ratings, threshold }), [])
  for (const threshold of [0.9, 5.1, '4']) {
    assert.match(errorsOf({ ...ratings, threshold })[0] ?? '', /^threshold must be/)
  }
})

test('rating.dropped requires delta, threshold or both', () => {
  assert.match(errorsOf(ratings)[0] ?? '', /^delta is required for rating\.dropped/)
  assert.match(errorsOf({ ...ratings, delta: null, threshold: null })[0] ?? '', /^delta is required/)
  assert.deepEqual(errorsOf({ ...ratings, delta: 0.1, threshold: 4 }), [])
})

test('rating.recovered has the rules of rating.dropped', () => {
  const recovered = { ...reviews, event_type: 'rating.recovered' }
  assert.match(errorsOf(recovered)[0] ?? '', /^delta is required for rating\.recovered/)
  assert.deepEqual(errorsOf({ ...recovered, delta: 0.1, delta_window_hours: 24, threshold: 4 }), [])
  assert.match(
    errorsOf({ ...recovered, threshold: 4, delta_window_hours: 24 })[0] ?? '',
    /^delta_window_hours requires .* rating\.recovered and delta/,
  )
})

test('reviews.spiked takes both limits or none, and no other event type has them', () => {
  const spiked = { ...reviews, event_type: 'reviews.spiked' }
  for (const limits of [{}, { spike_min_reviews: 2 }, { spike_factor: 1.5 }, { spike_min_reviews: null }])
    assert.deepEqual(errorsOf({ ...spiked, ...limits }), [])
  assert.deepEqual(errorsOf({ ...spiked, spike_min_reviews: 1_000, spike_factor: 100 }), [])
  for (const reviewsMin of [1, 1_001, 2.5, '5'])
    assert.match(
      errorsOf({ ...spiked, spike_min_reviews: reviewsMin })[0] ?? '',
      /^spike_min_reviews must be a whole number from 2 to 1000, not/,
    )
  for (const factor of [1.4, 100.1, '3'])
    assert.match(
      errorsOf({ ...spiked, spike_factor: factor })[0] ?? '',
      /^spike_factor must be a number from 1\.5 to 100, not/,
    )
  for (const field of ['spike_min_reviews', 'spike_factor'])
    assert.deepEqual(errorsOf({ ...reviews, [field]: 5 }), [
      `${field} requires the event_type reviews.spiked.`,
    ])
  assert.match(errorsOf({ ...spiked, keywords: ['crash'] })[0] ?? '', /^keywords/)
})

test('a country is one of the 16 storefronts, in lowercase', () => {
  for (const country of STOREFRONTS) assert.deepEqual(errorsOf({ ...reviews, country }), [])
  for (const country of ['US', 'ch', '', 1])
    assert.match(errorsOf({ ...reviews, country })[0] ?? '', /^country must be one of us, gb/)
})

test('a source is one of the configured sources', () => {
  assert.deepEqual(errorsOf({ ...reviews, source: 'zapier' }), [])
  assert.match(
    errorsOf({ ...reviews, source: 'n8n' })[0] ?? '',
    /^source must be "api", "zapier" or "platform_1", not "n8n"/,
  )
})

test('external_ref may have 256 characters, counted by code points', () => {
  for (const ref of ['', 'x'.repeat(256), '🙂'.repeat(256)])
    assert.deepEqual(errorsOf({ ...reviews, external_ref: ref }), [])
  for (const ref of ['x'.repeat(257), 'a\0b', '\ud800', 3])
    assert.match(errorsOf({ ...reviews, external_ref: ref })[0] ?? '', /^external_ref must be text/)
})

test('an app id is any storable text that is not blank', () => {
  for (const app_id of ['310633997', 'com.example.app', 'free text'])
    assert.deepEqual(errorsOf({ ...reviews, app_id }), [])
  for (const app_id of ['', '   ', 'a\0', 'x'.repeat(256), 310633997])
    assert.match(errorsOf({ ...reviews, app_id })[0] ?? '', /^app_id must be/)
})

test('unknown fields are ignored', () => {
  assert.deepEqual(errorsOf({ ...reviews, colour: 'red', constructor: 1 }), [])
})

test('the check of a body reports every wrong field at once', () => {
  const messages = errorsOf({ ...reviews, store: 'steam', min_stars: 9 })
  assert.equal(messages.length, 2)
})

test('any JSON except an object is rejected with the reason', () => {
  for (const body of [[], 'x', 1, true, null])
    assert.deepEqual(errorsOf(body), ['The body must be a JSON object.'])
})

test('an error quotes at most a short part of the input', () => {
  const [message = ''] = errorsOf({ ...reviews, store: 'x'.repeat(10_000) })
  assert.ok(message.length < 200)
})

test('the check of a body reports an error only once', () => {
  const messages = (given: object) => [...new Set(errorsOf({ ...reviews, ...given }))]
  assert.deepEqual(messages({ app_id: '' }).length, 1)
  assert.deepEqual(messages({ min_stars: 6 }), ['min_stars must be a whole number from 1 to 5, not 6.'])
  assert.deepEqual(messages({ max_stars: JSON.parse('1e400') }), [
    'max_stars must be a whole number from 1 to 5, not Infinity.',
  ])
  assert.match(messages({ external_ref: 'a\0' }).join(), /without NUL/)
})

test('every option of a hook has a field', () => {
  assert.deepEqual(Object.values(HOOK_OPTION_OF_FIELD).sort(), Object.keys(DEFAULT_HOOK_OPTIONS).sort())
})
