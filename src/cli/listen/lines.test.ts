import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleEvent } from '../../contract/sample.ts'
import type { ReviewCreated } from '../../contract/webhook.ts'
import type { Received } from '../receiver/receiver.ts'
import { requestJson, requestLine } from './lines.ts'

const review = sampleEvent('review.created') as ReviewCreated
const drop = sampleEvent('rating.dropped')
const taken = {
  at: new Date('2026-03-01T12:34:56.789Z'),
  status: 200,
  signature: 'verified',
  refusal: null,
  isRepeat: false,
} as const

function received(event: ReviewCreated | typeof drop): Received {
  return { ...taken, event, payload: event }
}

/** Clears the screen in two ways, and reverses the text direction. */
const HOSTILE = '\u001b[2J\u009b2J\u202Eevil\nsecond line'

test('a review and a drop are one line each, with the full event id', () => {
  const line = requestLine(received(review))
  assert.match(line, /^12:34:56Z {2}200 {2}verified {3}review\.created {2}★★★☆☆ +apple 123456789 us +“Great /)
  assert.ok(line.endsWith(`  ${review.event_id}\n`))
  assert.match(
    requestLine(received(drop)),
    /rating\.dropped {2}4\.50→4\.40 {2}apple 123456789 +12873 ratings/,
  )
  const repeated = { ...received(review), signature: 'unchecked', isRepeat: true } as const
  assert.match(requestLine(repeated), /200 {2}unchecked .* {2}repeated {2}[0-9a-f]{64}\n$/)
  assert.match(requestLine(received({ ...review, title: '', body: 'The body' })), /“The body”/)
})

test('a rejected event is shown with the reason and its claimed hook', () => {
  const rejected = { ...received(review), status: 401, refusal: 'The header is missing.' }
  assert.equal(
    requestLine(rejected),
    `12:34:56Z  401  REJECTED  The header is missing. (review.created of hook ${review.subscriber_id})\n`,
  )
  assert.equal(
    requestLine({ ...rejected, event: null }),
    '12:34:56Z  401  REJECTED  The header is missing.\n',
  )
})

test('untrusted text cannot move the cursor, add lines or fill the screen', () => {
  const wild = {
    ...review,
    title: HOSTILE,
    app_id: HOSTILE.repeat(1_000),
    subscriber_id: HOSTILE.repeat(1_000),
  }
  const lines = [
    requestLine(received(wild)),
    requestLine({ ...received(wild), refusal: HOSTILE.repeat(1_000) }),
    requestJson(received(wild)),
  ]
  for (const line of lines) assert.doesNotMatch(line.slice(0, -1), /[\p{Cc}\p{Cf}]/u)
  for (const line of lines.slice(0, 2)) assert.ok(line.length < 600, `${line.length} characters`)
})

test('the JSON line contains the unchanged event', () => {
  const payload = { ...review, title: HOSTILE, body: 'a tag beyond the BMP: \u{E0041} 🎈', later: { x: 1 } }
  assert.deepEqual(JSON.parse(requestJson({ ...received(review), payload })), {
    at: '2026-03-01T12:34:56.789Z',
    status: 200,
    verified: true,
    repeated: false,
    refusal: null,
    event: payload,
  })
  const rejected = { ...received(review), signature: 'unchecked', event: null, payload: null } as const
  const line = requestJson({ ...rejected, status: 405, refusal: 'Only POST is accepted, not GET.' })
  const { verified, event, refusal } = JSON.parse(line)
  assert.deepEqual([verified, event, refusal], [null, null, 'Only POST is accepted, not GET.'])
})
