import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as contract from '../../../src/contract/webhook.ts'
import { webhookEvent } from '../../../src/contract/webhook.ts'
import type { SameType } from '../../../test/support/same-type.ts'
import type { RatingDropped, ReviewCreated, WebhookEvent } from './events.ts'
import { sampleEvent } from './testing.ts'

test('the types match the contract', () => {
  const same: [
    SameType<WebhookEvent, contract.WebhookEvent>,
    SameType<ReviewCreated, contract.ReviewCreated>,
    SameType<RatingDropped, contract.RatingDropped>,
  ] = [true, true, true]
  // The comparison detects a missing key and an additional one.
  const missing: SameType<Omit<ReviewCreated, 'title'>, contract.ReviewCreated> = false
  const more: SameType<ReviewCreated & { more?: 1 }, contract.ReviewCreated> = false
  assert.deepEqual([...same, missing, more], [true, true, true, false, false])
})

test('the samples match the contract', () => {
  for (const type of ['review.created', 'rating.dropped'] as const) {
    const event: WebhookEvent = sampleEvent(type)
    assert.deepEqual(webhookEvent.parse(event), event)
  }
})
