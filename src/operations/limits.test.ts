import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../test/support/clock.ts'
import { silentMeter } from '../../test/support/silent-meter.ts'
import { createAccountGuard } from './limits.ts'

const SETTINGS = {
  hooksMax: 1,
  storefrontsMax: 1,
  apiRequestsPerMinute: 100,
  appSearchesPerMinute: 100,
  testEventsPerMinute: 100,
  replyDraftsPerMinute: 100,
  importedRowsPerDay: 100,
}

test('an address gets few test mails, whatever accounts send them', () => {
  const guard = createAccountGuard(
    { ...SETTINGS, modelRequestsPerDay: null },
    { clock: testClock(), meter: silentMeter },
  )
  for (let mail = 0; mail < 6; mail += 1) guard.testMail('ann@example.com')
  assert.throws(() => guard.testMail('Ann@Example.com'), {
    code: 'rate_limited',
    message: 'An address is limited to 6 test mails per hour. Try again in 600 s.',
  })
  guard.testMail('ben@example.com')
})

test('an account has a quarter of the model requests of a day for its drafts and translations together', () => {
  const guard = createAccountGuard(
    { ...SETTINGS, modelRequestsPerDay: 12 },
    { clock: testClock(), meter: silentMeter },
  )
  guard.replyDraft('a')
  guard.translation('a')
  guard.replyDraft('a')
  assert.throws(() => guard.translation('a'), {
    code: 'rate_limited',
    message:
      /^An account is limited to 3 drafts of answers and translations per day\. Try again in 8 hours\.$/,
  })
  guard.translation('b')
})
