import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { assertFailed } from '../../../../test/support/official-failure.ts'
import {
  APPLE_APP,
  addReviews,
  type OfficialStores,
  startOfficialStores,
} from '../../../../test/support/official-stores.ts'
import type { AppStoreConnectCredentials, OfficialFailure, OfficialReview } from '../official.ts'

const us = { store: 'apple', appId: APPLE_APP, market: 'us' } as const
const de = { store: 'apple', appId: APPLE_APP, market: 'de' } as const

test('the source lists all reviews of all storefronts, newest first, with their territory and the public id', async () => {
  await using stores = await startOfficialStores()
  const now = stores.clock.now()
  addReviews(stores.world, us, 230, { now })
  addReviews(stores.world, de, 3, { now, firstId: 15_000_000_001 })
  addReviews(stores.world, { ...us, market: 'xk' }, 1, { now, firstId: 16_000_000_001 })
  const credentials = stores.appleCredentials()
  const { reviews, pages } = await readAll(stores, credentials)
  assert.equal(reviews.length, 234)
  assert.equal(pages, 2)
  const dates = reviews.map(({ shownAt }) => shownAt.getTime())
  assert.deepEqual(
    dates,
    dates.toSorted((a, b) => b - a),
  )
  const german = reviews.find((review) => review.publicReviewIds.includes('15000000003'))
  assert.equal(german?.territory, 'DEU')
  assert.equal(german?.storefront, 'de')
  assert.equal(german?.title, 'Title 15000000003')
  assert.equal(german?.body, 'Text 15000000003 🎉\nwith "quotes", commas\tand <tags>')
  assert.equal(german?.author, 'Author 15000000003')
  assert.equal(german?.appVersion, null)
  assert.equal(reviews.find(({ territory }) => territory === 'XKS')?.storefront, 'xk')
  assert.equal(new Set(reviews.map(({ reviewId }) => reviewId)).size, 234)
})

test('a review that arrives between two pages hides none of the others', async () => {
  await using stores = await startOfficialStores()
  const now = stores.clock.now()
  addReviews(stores.world, us, 210, { now })
  const credentials = stores.appleCredentials()
  const first = await stores.apple.reviewsPage(
    { credentials, appId: APPLE_APP, cursor: null },
    stores.context,
  )
  assert.ok(first.kind === 'ok' && first.next !== null)
  assert.equal(first.total, 210)
  addReviews(stores.world, de, 5, { now, gapMs: 1_000, firstId: 15_000_000_001 })
  const query = { credentials, appId: APPLE_APP, cursor: first.next }
  const second = await stores.restart().apple.reviewsPage(query, stores.context)
  assert.ok(second.kind === 'ok')
  assert.equal(second.reviews.length, 10)
  assert.equal(second.next, null)
})

test('one token serves many requests, and a new one replaces it before it expires', async () => {
  await using stores = await startOfficialStores()
  const credentials = stores.appleCredentials()
  const query = { credentials, appId: APPLE_APP, cursor: null }
  for (const minutes of [0, 5, 6, 4, 11, 13]) {
    stores.clock.leap(minutes * 60_000)
    const page = await stores.apple.reviewsPage(query, stores.context)
    assert.equal(page.kind, 'ok', JSON.stringify(page))
  }
  assert.deepEqual(
    stores.world.requests('apple').map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  )
})

test('individual keys work without an issuer', async () => {
  await using stores = await startOfficialStores()
  const credentials = stores.appleCredentials({ individual: true })
  assert.equal(credentials.issuerId, null)
  const check = await stores.apple.check({ credentials, appIds: [] }, stores.context)
  assert.equal(check.kind, 'ok', JSON.stringify(check))
})

test('a check lists the apps and tries to read reviews', async () => {
  await using stores = await startOfficialStores()
  stores.world.addApp({ ...us, appId: '9100000999', name: 'Second', developer: 'X', iconUrl: null })
  const all = stores.appleCredentials()
  const check = await stores.apple.check({ credentials: all, appIds: [APPLE_APP, '123'] }, stores.context)
  assert.ok(check.kind === 'ok')
  assert.deepEqual(
    check.apps.map(({ appId, name }) => [appId, name]),
    [
      [APPLE_APP, 'Larkspur Notes'],
      ['9100000999', 'Second'],
    ],
  )
  assert.deepEqual(check.rights, { readReviews: 'granted', reply: 'unknown', history: 'granted' })
  assert.deepEqual(
    check.unreachable.map(({ appId, failure }) => [appId, failure.reason, failure.field]),
    [['123', 'app_not_found', 'app_id']],
  )
  assert.equal(check.quota?.limit, 3_600)
  const one = await stores.apple.apps(
    { credentials: stores.appleCredentials({ appIds: [APPLE_APP] }) },
    stores.context,
  )
  assert.ok(one.kind === 'ok')
  assert.equal(one.apps.length, 1)
})

test('each mistake in the credentials has its reason, its field and its sentence', async () => {
  await using stores = await startOfficialStores()
  const good = stores.appleCredentials()
  const pem = (type: 'rsa' | 'ec', curve = 'P-256') => {
    const pair =
      type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: curve })
    return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
  const cases: readonly [Partial<AppStoreConnectCredentials>, OfficialFailure['reason'], string, RegExp][] = [
    [{ privateKey: 'MIGHAgEAMBMGByqG' }, 'invalid_credentials', 'private_key', /PEM format/],
    [{ privateKey: good.privateKey.slice(0, 80) }, 'invalid_credentials', 'private_key', /whole file/],
    [{ privateKey: pem('rsa') }, 'invalid_credentials', 'private_key', /type rsa.*EC P-256/],
    [{ privateKey: pem('ec', 'P-384') }, 'invalid_credentials', 'private_key', /secp384r1/],
    [{ issuerId: 'my team' }, 'invalid_credentials', 'issuer_id', /UUID/],
    [{ keyId: 'AuthKey_AB.p8' }, 'invalid_credentials', 'key_id', /key id/],
    [{ keyId: 'ZZZZZZZZZZ' }, 'unauthorized', 'private_key', /rejected the key/],
    [{ issuerId: '00000000-0000-4000-8000-000000000000' }, 'unauthorized', 'private_key', /belong together/],
    [{ privateKey: pem('ec') }, 'unauthorized', 'private_key', /\.p8 file/],
  ]
  for (const [change, reason, field, sentence] of cases) {
    const check = await stores.apple.check(
      { credentials: { ...good, ...change }, appIds: [] },
      stores.context,
    )
    assertFailed(check, reason, sentence)
    assert.equal(check.field, field)
    assert.ok(!JSON.stringify(check).includes(good.privateKey.slice(40, 60)))
  }
  const escaped = { ...good, privateKey: good.privateKey.replaceAll('\n', '\\n') }
  assert.equal((await stores.apple.check({ credentials: escaped, appIds: [] }, stores.context)).kind, 'ok')
})

test('a clock that differs from that of Apple is named, in both directions', async () => {
  await using stores = await startOfficialStores()
  const query = { credentials: stores.appleCredentials(), appIds: [] }
  // The token tolerates a clock that is a minute fast.
  stores.world.official.configure({ clockSkewMs: -50_000 })
  assert.equal((await stores.apple.check(query, stores.context)).kind, 'ok')
  stores.world.official.configure({ clockSkewMs: -7 * 60_000 })
  assertFailed(
    await stores.apple.check(query, stores.context),
    'clock_skew',
    /7 minutes ahead of App Store Connect's/,
  )
  stores.world.official.configure({ clockSkewMs: 40 * 60_000 })
  assertFailed(await stores.apple.check(query, stores.context), 'clock_skew', /40 minutes behind/)
})

test('403 is a role, an agreement or an operation', async () => {
  await using stores = await startOfficialStores()
  const [id = ''] = addReviews(stores.world, us, 1, { now: stores.clock.now() })
  const sales = stores.appleCredentials({ role: 'SALES' })
  assertFailed(
    await stores.apple.check({ credentials: sales, appIds: [] }, stores.context),
    'forbidden',
    /Customer Support/,
  )
  const support = stores.appleCredentials({ role: 'CUSTOMER_SUPPORT' })
  assert.equal((await stores.apple.check({ credentials: support, appIds: [] }, stores.context)).kind, 'ok')
  const reviewId = await onlyReviewId(stores, support)
  const query = { credentials: support, appId: APPLE_APP, reviewId, text: 'Hello', replaces: null }
  const refused = await stores.apple.reply(query, stores.context)
  assertFailed(refused, 'forbidden', /may not answer reviews. Use a key with the role Admin/)
  assert.equal(refused.mayHaveApplied, undefined)
  assert.equal(stores.world.official.reply({ ...us, reviewId: id }), null)
  stores.world.official.configure({ agreementSigned: false })
  const page = await stores.apple.reviewsPage(
    { credentials: support, appId: APPLE_APP, cursor: null },
    stores.context,
  )
  assertFailed(page, 'agreement_missing', /Account Holder/)
})

test('an app that the key does not reach is not found', async () => {
  await using stores = await startOfficialStores()
  const credentials = stores.appleCredentials({ appIds: ['9100000999'] })
  const query = { credentials, appId: APPLE_APP, cursor: null }
  assertFailed(
    await stores.apple.reviewsPage(query, stores.context),
    'app_not_found',
    /has no access to the app 9100000101/,
  )
  const other = { credentials, appId: '../x', cursor: null }
  assertFailed(await stores.apple.reviewsPage(other, stores.context), 'app_not_found', /ids are numbers/)
})

test('limits say when to try again: a minute for the short one, longer for the hour', async () => {
  await using stores = await startOfficialStores()
  const credentials = stores.appleCredentials()
  const query = { credentials, appId: APPLE_APP, cursor: null }
  stores.world.official.configure({ applePerMinute: 2 })
  const quota = []
  for (let index = 0; index < 2; index += 1) {
    const page = await stores.apple.reviewsPage(query, stores.context)
    if (page.kind === 'ok') quota.push(page.quota)
  }
  assert.deepEqual(quota, [
    { limit: 3_600, remaining: 3_599 },
    { limit: 3_600, remaining: 3_598 },
  ])
  const minute = await stores.apple.reviewsPage(query, stores.context)
  assertFailed(minute, 'rate_limited', /in a minute/)
  assert.equal(minute.retryAfterMs, 60_000)
  stores.clock.leap(120_000)
  stores.world.official.configure({ applePerMinute: 300, applePerHour: 3 })
  const hour = await stores.apple.reviewsPage(query, stores.context)
  assertFailed(hour, 'rate_limited', /for this hour/)
  assert.equal(hour.retryAfterMs, 600_000)
  stores.world.setFault({ store: 'apple' }, { kind: 'status', status: 429, retryAfterSeconds: 7 })
  const told = await stores.apple.reviewsPage(query, stores.context)
  assertFailed(told, 'rate_limited', /rate-limited/)
  assert.equal(told.retryAfterMs, 7_000)
})

test('a read is repeated once after a 5xx, and other failures are values', async () => {
  await using stores = await startOfficialStores()
  const query = { credentials: stores.appleCredentials(), appId: APPLE_APP, cursor: null }
  const page = () => stores.apple.reviewsPage(query, stores.context)
  stores.world.setFault({ store: 'apple', times: 1 }, { kind: 'status', status: 500 })
  assert.equal((await page()).kind, 'ok')
  stores.world.setFault({ store: 'apple', times: 2 }, { kind: 'status', status: 500 })
  assertFailed(await page(), 'unavailable', /status 500/)
  stores.world.setFault({ store: 'apple', times: 1 }, { kind: 'html' })
  const html = await page()
  assertFailed(html, 'changed', /not a JSON object/)
  assert.match(html.raw ?? '', /back soon/)
  stores.world.setFault({ store: 'apple', times: 1 }, { kind: 'changed' })
  assertFailed(await page(), 'changed', /no list `data`/)
  stores.world.setFault({ store: 'apple', times: 1 }, { kind: 'status', status: 406 })
  assertFailed(await page(), 'changed', /status 406/)
  stores.world.setFault({ store: 'apple', times: 1 }, { kind: 'status', status: 401 })
  assert.equal((await page()).kind, 'ok', 'a token that was refused is replaced once')
  const stopped = await stores.apple.reviewsPage(query, { ...stores.context, pace: async () => false })
  assertFailed(stopped, 'interrupted', /not made/)
})

test('malformed rows are set aside, and a page of them is another format', async () => {
  await using stores = await startOfficialStores()
  const ids = addReviews(stores.world, us, 10, { now: stores.clock.now() })
  const query = { credentials: stores.appleCredentials(), appId: APPLE_APP, cursor: null }
  const clear = stores.world.setFault(
    { store: 'apple' },
    { kind: 'malformed_rows', reviewIds: ids.slice(0, 2) },
  )
  const page = await stores.apple.reviewsPage(query, stores.context)
  assert.ok(page.kind === 'ok')
  assert.equal(page.reviews.length, 8)
  assert.equal(page.malformed.length, 2)
  assert.match(page.malformed[0]?.reason ?? '', /no 1 to 5 stars but 0/)
  clear()
  stores.world.setFault({ store: 'apple' }, { kind: 'malformed_rows', reviewIds: ids })
  assertFailed(await stores.apple.reviewsPage(query, stores.context), 'changed', /10 of 10 rows/)
})

test('a reply is pending, then published, and repeating it writes nothing', async () => {
  await using stores = await startOfficialStores()
  const [id = ''] = addReviews(stores.world, us, 1, { now: stores.clock.now() })
  const credentials = stores.appleCredentials()
  const reviewId = await onlyReviewId(stores, credentials)
  const query = { credentials, appId: APPLE_APP, reviewId }
  const text = 'Thank you.\r\nThe fix is in 1.2 <b>now</b>. '
  const first = await stores.apple.reply({ ...query, text, replaces: null }, stores.context)
  assert.ok(first.kind === 'ok')
  assert.deepEqual([first.written, first.reply.state], [true, 'pending'])
  const again = await stores.apple.reply({ ...query, text, replaces: null }, stores.context)
  assert.ok(again.kind === 'ok')
  assert.equal(again.written, false)
  assert.equal(posts(stores).length, 1)
  stores.clock.leap(120_000)
  const shown = await stores.apple.review(query, stores.context)
  assert.ok(shown.kind === 'ok')
  assert.deepEqual([shown.review.reply?.state, shown.review.reply?.text], ['published', text])
  const page = await stores.apple.reviewsPage({ credentials, appId: APPLE_APP, cursor: null }, stores.context)
  assert.ok(page.kind === 'ok')
  assert.deepEqual(page.reviews[0]?.reply, shown.review.reply)

  const blind = await stores.apple.reply({ ...query, text: 'Other', replaces: null }, stores.context)
  assert.equal(blind.kind, 'conflict')
  const edited = await stores.apple.reply({ ...query, text: 'Other', replaces: text }, stores.context)
  assert.ok(edited.kind === 'ok')
  assert.equal(edited.reply.replyId, first.reply.replyId)
  assert.equal(stores.world.official.reply({ ...us, reviewId: id })?.text, 'Other')

  assert.deepEqual(await stores.apple.deleteReply(query, stores.context), { kind: 'ok', deleted: true })
  assert.deepEqual(await stores.apple.deleteReply(query, stores.context), { kind: 'ok', deleted: false })
})

test('a lost answer to a reply says that it may have been written, and the next call finds out', async () => {
  await using stores = await startOfficialStores()
  addReviews(stores.world, us, 1, { now: stores.clock.now() })
  const credentials = stores.appleCredentials()
  const reviewId = await onlyReviewId(stores, credentials)
  const query = { credentials, appId: APPLE_APP, reviewId, text: 'Hello', replaces: null }
  let requests = 0
  const failing = {
    ...stores.context,
    // The read passes, and the write fails.
    pace: async () => {
      requests += 1
      if (requests === 2) stores.world.setFault({ store: 'apple', times: 1 }, { kind: 'status', status: 502 })
      return true
    },
  }
  const lost = await stores.apple.reply(query, failing)
  assertFailed(lost, 'unavailable', /502/)
  assert.equal(lost.mayHaveApplied, true)
  const next = await stores.apple.reply(query, stores.context)
  assert.ok(next.kind === 'ok')
})

test('a reply that is too long, empty, or of a review that is gone is refused', async () => {
  await using stores = await startOfficialStores()
  const [id = ''] = addReviews(stores.world, us, 1, { now: stores.clock.now() })
  const credentials = stores.appleCredentials()
  const reviewId = await onlyReviewId(stores, credentials)
  const query = { credentials, appId: APPLE_APP, reviewId, replaces: null }
  const long = await stores.apple.reply({ ...query, text: 'x'.repeat(5_971) }, stores.context)
  assertFailed(long, 'rejected', /5971 characters; App Store Connect accepts at most 5970/)
  assertFailed(await stores.apple.reply({ ...query, text: ' \n' }, stores.context), 'rejected', /empty/)
  stores.world.removeReview({ ...us, reviewId: id })
  assertFailed(
    await stores.apple.reply({ ...query, text: 'Hi' }, stores.context),
    'review_not_found',
    /no longer has the review/,
  )
  assertFailed(await stores.apple.review(query, stores.context), 'review_not_found', /no longer/)
  assert.equal(posts(stores).length, 0)
})

test('the history resumes in another process and reports its progress', async () => {
  await using stores = await startOfficialStores()
  addReviews(stores.world, us, 401, { now: stores.clock.now() })
  const credentials = stores.appleCredentials()
  const steps = []
  let cursor: string | null = null
  do {
    const page = await stores
      .restart()
      .apple.history({ credentials, appId: APPLE_APP, cursor }, stores.context)
    assert.ok(page.kind === 'ok')
    steps.push([page.reviews.length, page.progress])
    cursor = page.next
  } while (cursor !== null)
  assert.deepEqual(steps, [
    [200, { done: 200, total: 401 }],
    [200, { done: 400, total: 401 }],
    [1, { done: 401, total: 401 }],
  ])
})

function posts({ world }: OfficialStores) {
  return world.requests('apple').filter(({ method }) => method === 'POST')
}

async function onlyReviewId(
  stores: OfficialStores,
  credentials: AppStoreConnectCredentials,
): Promise<string> {
  const { reviews } = await readAll(stores, credentials)
  return reviews[0]?.reviewId ?? ''
}

async function readAll(stores: OfficialStores, credentials: AppStoreConnectCredentials) {
  const reviews: OfficialReview[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const page = await stores.apple.reviewsPage({ credentials, appId: APPLE_APP, cursor }, stores.context)
    assert.ok(page.kind === 'ok', JSON.stringify(page))
    reviews.push(...page.reviews)
    pages += 1
    cursor = page.next
  } while (cursor !== null)
  return { reviews, pages }
}
