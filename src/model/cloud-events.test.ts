import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleEvent } from '../contract/sample.ts'
import { cloudEventHeaders } from './cloud-events.ts'

test('an event has the required attributes of CloudEvents', () => {
  const event = sampleEvent('review.created')
  assert.deepEqual(cloudEventHeaders(JSON.stringify(event)), {
    'ce-specversion': '1.0',
    'ce-id': event.event_id,
    'ce-source': `/hooks/${event.subscriber_id}`,
    'ce-type': 'review.created',
    'ce-time': event.occurred_at,
    'ce-subject': 'apple/123456789',
  })
})

test('an app id of any text is a valid header that decodes to it', () => {
  const app_id = 'com.example "ü%20\r\nx-evil: 1 \u{1F389}'
  const { 'ce-subject': subject = '' } = cloudEventHeaders(
    JSON.stringify({ ...sampleEvent('review.created'), app_id }),
  )
  assert.match(subject, /^[\x21-\x7e]+$/)
  assert.equal(decodeURIComponent(subject), `apple/${app_id}`)
})
