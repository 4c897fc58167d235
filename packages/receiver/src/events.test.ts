import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as contract from '../../../src/contract/webhook.ts'
import type { SameType } from '../../../test/support/same-type.ts'
import type { RatingDropped, RatingRecovered, ReviewCreated, ReviewsSpiked, WebhookEvent } from './events.ts'

test('the types match the contract', () => {
  const same: [
    SameType<WebhookEvent, contract.WebhookEvent>,
    SameType<ReviewCreated, contract.ReviewCreated>,
    SameType<RatingDropped, contract.RatingDropped>,
    SameType<ReviewsSpiked, contract.ReviewsSpiked>,
    SameType<RatingRecovered, contract.RatingRecovered>,
  ] = [true, true, true, true, true]
  // The comparison detects a missing key and an additional one.
  const missing: SameType<Omit<ReviewCreated, 'title'>, contract.ReviewCreated> = false
  const more: SameType<ReviewCreated & { more?: 1 }, contract.ReviewCreated> = false
  assert.deepEqual([...same, missing, more], [true, true, true, true, true, false, false])
})
