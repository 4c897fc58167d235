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

const guardWith = (modelRequestsPerDay: number | null = null) =>
  createAccountGuard({ ...SETTINGS, modelRequestsPerDay }, { clock: testClock(), meter: silentMeter })

const addresses = (count: number, of = 'x') =>
  Array.from({ length: count }, (_, n) => `${of}${n}@example.com`)

test('a mailbox gets at most six confirmation and test mails an hour, across accounts and tags', () => {
  const guard = guardWith()
  for (let mail = 0; mail < 3; mail += 1) {
    guard.testMails([`ann+${mail}@example.com`])
    guard.confirmations(`account${mail}`, ['Ann@Example.com'])
  }
  assert.throws(() => guard.confirmations('other', ['Ann+other@Example.com']), {
    code: 'rate_limited',
    message: 'An address is limited to 6 confirmation and test mails per hour. Try again in 600 s.',
  })
  guard.testMails(['ben@example.com'])
  const tags = Array.from({ length: 7 }, (_, n) => `carl+${n}@example.com`)
  assert.throws(() => guard.confirmations('a', tags), { code: 'invalid', message: /and this request has 7/ })
})

test('an account asks fifty addresses a day, and all accounts together a thousand', () => {
  const guard = guardWith()
  guard.confirmations('a', addresses(50))
  assert.throws(() => guard.confirmations('a', ['ann@example.com']), {
    code: 'rate_limited',
    message: /^An account is limited to 50 confirmation mails per day/,
  })
  for (let account = 1; account < 20; account += 1)
    guard.confirmations(`b${account}`, addresses(50, `y${account}-`))
  assert.throws(() => guard.confirmations('c', ['ann@example.com']), {
    code: 'rate_limited',
    message: /^This node is limited to 1000 confirmation mails per day/,
  })
})

test('a request that a limit refuses takes no permits of the others', () => {
  const guard = guardWith()
  for (let mail = 0; mail < 6; mail += 1) guard.testMails(['ann@example.com'])
  for (let round = 0; round < 10; round += 1)
    assert.throws(() => guard.confirmations('a', [...addresses(20), 'ann@example.com']))
  guard.confirmations('a', addresses(50))
})

test('an account has a quarter of the model requests of a day for its drafts and translations together', () => {
  const guard = guardWith(12)
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
