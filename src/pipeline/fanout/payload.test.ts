import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { ratingOccurrence, reviewOccurrence } from '../../../test/support/occurrences.ts'
import { webhookEvent } from '../../contract/webhook.ts'
import { STOREFRONTS, TRIGGERS } from '../../model/vocabulary.ts'
import { PAYLOAD_BYTES_MAX, payloadOf as payloadWith } from './payload.ts'

const watch = { hookId: 'api-0001', thresholdMicros: null }
const us = { country: 'us', trigger: null } as const

type Given = Parameters<typeof payloadWith>

const payloadOf = (occurrence: Given[0], recipient: Given[1], matched: Given[2]) =>
  payloadWith(occurrence, recipient, matched, new Map())

/** A second implementation of the hash, so that a changed encoding fails this test. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

test('the body of a review event matches the contract byte for byte', () => {
  const fingerprint = sha256('6:review5:apple9:38980125211:12000000001')
  const eventId = sha256(`5:event8:api-000164:${fingerprint}`)
  const contentHash = sha256('7:content42:It crashes at start 😡\nSince the update.7:Crashes')
  assert.equal(
    payloadOf(reviewOccurrence(), watch, us),
    `{"id":"${eventId}","event_id":"${eventId}","occurrence_id":"${fingerprint}","event_type":"review.created",` +
      `"store":"apple","app_id":"389801252","subscriber_id":"api-0001","occurred_at":"2026-03-01T12:00:00.000Z",` +
      `"observed_at":"2026-03-01T12:34:56.789Z","schema_version":2,"review_id":"12000000001",` +
      `"fingerprint":"${fingerprint}","content_hash":"${contentHash}","rating":1,"title":"Crashes",` +
      `"body":"It crashes at start 😡\\nSince the update.","author":"A person","app_version":"4.2.0","country":"us",` +
      `"enrichment":{"language":"en","sentiment":"negative","themes":["stability_crash","update_regression"],` +
      `"is_feature_request":false,"feature_slug":null,"feature_phrase":null,"is_bug_report":true,"severity":"high",` +
      `"mentions_competitor":false,"competitor_named":null,"other_topic":null,` +
      `"summary_en":"Crashes at start since the update."}}`,
  )
})

test('the body of a rating drop matches the contract byte for byte', () => {
  const transitionId = sha256('6:rating6:google15:org.example.app3:4.44:1234')
  const eventId = sha256(`5:event8:api-000164:${transitionId}`)
  assert.equal(
    payloadOf(ratingOccurrence(4_500_000, 4_400_000), watch, { country: 'de', trigger: 'delta' }),
    `{"id":"${eventId}","event_id":"${eventId}","occurrence_id":"${transitionId}","event_type":"rating.dropped",` +
      `"store":"google","app_id":"org.example.app","subscriber_id":"api-0001",` +
      `"occurred_at":"2026-03-01T12:00:00.123Z","observed_at":"2026-03-01T12:00:00.123Z","schema_version":2,` +
      `"transition_id":"${transitionId}","previous_rating":4.5,"current_rating":4.4,"delta":-0.1,` +
      `"rating_count":1234,"trigger":"delta","threshold":null}`,
  )
})

test('every key is present, even without data from the store', () => {
  const bare = reviewOccurrence({
    review: { title: null, author: null, appVersion: null, enrichment: null, body: '' },
  })
  const event = JSON.parse(payloadOf(bare, watch, us))
  assert.deepEqual([event.title, event.author, event.app_version, event.enrichment], [null, null, null, null])
  assert.equal(event.body, '')
})

test('the threshold is present only when it fired', () => {
  const drop = ratingOccurrence(4_100_000, 3_900_000)
  const rule = { hookId: 'api-0001', thresholdMicros: 4_000_000 }
  assert.equal(JSON.parse(payloadOf(drop, rule, { country: 'de', trigger: 'threshold' })).threshold, 4)
  assert.equal(JSON.parse(payloadOf(drop, rule, { country: 'de', trigger: 'delta' })).threshold, null)
})

const anyText = fc.string({ unit: 'binary', maxLength: 200 })
const anyReview = fc.record({
  reviewId: fc.string({ minLength: 1 }),
  rating: fc.integer({ min: 1, max: 5 }),
  title: fc.option(anyText),
  body: anyText,
  author: fc.option(anyText),
  appVersion: fc.option(anyText),
})

test('every review payload matches the schema, whatever the text', () => {
  fc.assert(
    fc.property(anyReview, fc.constantFrom(...STOREFRONTS), (review, country) => {
      const body = payloadOf(reviewOccurrence({ review }), watch, { country, trigger: null })
      const event = webhookEvent.parse(JSON.parse(body))
      assert.deepEqual(JSON.parse(body), event, 'the schema has every key')
      assert.ok(Buffer.from(body, 'utf8').toString('utf8') === body, 'the text survives UTF-8')
    }),
  )
})

test('every rating payload matches the schema, and its delta has no float error', () => {
  const anyMicros = fc.integer({ min: 1, max: 5_000_000 })
  fc.assert(
    fc.property(anyMicros, anyMicros, fc.constantFrom(...TRIGGERS), (a, b, trigger) => {
      fc.pre(a !== b)
      const drop = ratingOccurrence(Math.max(a, b), Math.min(a, b))
      const rule = { hookId: 'api-0001', thresholdMicros: Math.max(a, b) }
      const body = payloadOf(drop, rule, { country: 'de', trigger })
      const event = webhookEvent.parse(JSON.parse(body))
      assert.deepEqual(JSON.parse(body), event)
      const digits = /"delta":(-[0-9.e-]+)/.exec(body)?.[1] ?? ''
      assert.equal(Math.round(Number(digits) * 1e6), -Math.abs(a - b))
      assert.ok(digits.includes('e') || (digits.split('.')[1] ?? '').length <= 6, digits)
    }),
  )
})

test('an unpaired surrogate is hashed and sent as U+FFFD', () => {
  const event = JSON.parse(payloadOf(reviewOccurrence({ review: { body: 'a\uD83D' } }), watch, us))
  assert.equal(event.body, 'a\uFFFD')
})

test('a long text is truncated so that the payload is at most 256 KiB, and never inside a character', () => {
  for (const unit of ['x', 'ü', '😀', '\u0000', '"']) {
    const review = { body: unit.repeat(300_000), title: `x${unit.repeat(100_000)}` }
    const body = payloadOf(reviewOccurrence({ review }), watch, us)
    const bytes = Buffer.byteLength(body)
    assert.ok(bytes <= PAYLOAD_BYTES_MAX && bytes > PAYLOAD_BYTES_MAX - 16, `${bytes} bytes of ${unit}`)
    const event = webhookEvent.parse(JSON.parse(body))
    assert.ok(
      event.event_type === 'review.created' && event.body.isWellFormed() && event.title?.isWellFormed(),
    )
  }
})

test('events of a review for several hooks differ only in their ids and the storefront', () => {
  const occurrence = reviewOccurrence()
  const texts = new Map()
  for (const [index, country] of (['us', 'de', 'us', 'de'] as const).entries()) {
    const hook = { ...watch, hookId: `api-${index}` }
    const matched = { country, trigger: null }
    assert.equal(payloadWith(occurrence, hook, matched, texts), payloadOf(occurrence, hook, matched))
  }
})
