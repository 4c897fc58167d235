import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { assertFailed } from '../../../../test/support/official-failure.ts'
import {
  addReviews,
  GOOGLE_APP,
  type OfficialStores,
  startOfficialStores,
} from '../../../../test/support/official-stores.ts'
import type { GooglePlayCredentials, OfficialFailure, OfficialReview } from '../official.ts'

const en = { store: 'google', appId: GOOGLE_APP, market: 'en' } as const
const de = { store: 'google', appId: GOOGLE_APP, market: 'de' } as const
const HOUR_MS = 3_600_000

test('the source lists the reviews of seven days in all languages, with the newest text and its reply', async () => {
  await using stores = await startOfficialStores()
  const now = stores.clock.now()
  const old = addReviews(stores.world, en, 250, { now })
  addReviews(stores.world, de, 3, { now, firstId: 15_000_000_001 })
  stores.world.addReview(en, { ...PLAIN, id: 'gp:AOqpTOFtest', body: '', publishedAt: now })
  stores.world.editReview({ ...en, reviewId: old[0] ?? '' }, { rating: 1, body: 'Changed\ttext' }, now)
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP] })
  const { reviews, pages } = await readAll(stores, credentials)
  // 168 hours, the German ones and the edited one; not the one without a text.
  assert.equal(reviews.length, 168 + 3 + 1 - 1)
  assert.equal(pages, 2)
  const [first] = reviews
  assert.equal(first?.reviewId, old[0])
  assert.deepEqual([first?.rating, first?.title, first?.body], [1, 'Title 14000000001', 'Changed\ttext'])
  assert.equal(first?.shownAt.getTime(), now.getTime())
  assert.deepEqual(first?.publicReviewIds, [old[0]])
  const german = reviews.filter(({ language }) => language === 'de')
  assert.equal(german.length, 3)
  assert.deepEqual(
    [german[0]?.title, german[1]?.title, german[0]?.body],
    ['Title 15000000003', null, 'Text 15000000003 🎉\nwith "quotes", commas\tand <tags>'],
  )
  assert.equal(reviews.find(({ language }) => language === 'en-US')?.appVersion !== null, true)
  assert.equal(german[0]?.territory, null)
})

test('no reviews are an empty page', async () => {
  await using stores = await startOfficialStores()
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP] })
  const page = await stores.google.reviewsPage(
    { credentials, appId: GOOGLE_APP, cursor: null },
    stores.context,
  )
  assert.ok(page.kind === 'ok')
  assert.deepEqual([page.reviews, page.next], [[], null])
})

test('one access token serves an hour, and is renewed before it ends or after it was refused', async () => {
  await using stores = await startOfficialStores()
  const query = {
    credentials: stores.googleCredentials({ appIds: [GOOGLE_APP] }),
    appId: GOOGLE_APP,
    cursor: null,
  }
  const tokens = () => stores.world.requests('google').filter(({ source }) => source === 'oauth').length
  for (const minutes of [0, 20, 34]) {
    stores.clock.leap(minutes * 60_000)
    assert.equal((await stores.google.reviewsPage(query, stores.context)).kind, 'ok')
  }
  assert.equal(tokens(), 1)
  stores.clock.leap(2 * 60_000)
  assert.equal((await stores.google.reviewsPage(query, stores.context)).kind, 'ok')
  assert.equal(tokens(), 2)
  stores.world.setFault(
    { store: 'google', source: 'googleplay-developer', times: 1 },
    { kind: 'status', status: 401 },
  )
  assert.equal((await stores.google.reviewsPage(query, stores.context)).kind, 'ok')
  assert.equal(tokens(), 3)
})

test('a check reads each app, because the right to reply is also that to read', async () => {
  await using stores = await startOfficialStores()
  stores.world.addApp({ ...en, appId: 'com.example.other', name: 'Other', developer: 'X', iconUrl: null })
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP], bucket: 'pubsite_prod_rev_1' })
  const appIds = [GOOGLE_APP, 'com.example.other', 'com.example.none', 'not a package']
  const check = await stores.google.check({ credentials, appIds }, stores.context)
  assert.ok(check.kind === 'ok', JSON.stringify(check))
  assert.deepEqual(check.apps, [{ store: 'google', appId: GOOGLE_APP, name: null, bundleId: null }])
  assert.deepEqual(check.rights, { readReviews: 'granted', reply: 'granted', history: 'granted' })
  assert.deepEqual(
    check.unreachable.map(({ appId, failure }) => [appId, failure.reason]),
    [
      ['com.example.other', 'forbidden'],
      ['com.example.none', 'app_not_found'],
      ['not a package', 'app_not_found'],
    ],
  )
  const none = await stores.google.check({ credentials, appIds: ['com.example.other'] }, stores.context)
  assertFailed(none, 'forbidden', /Invite it in the Play Console.*"Reply to reviews"/)
  stores.world.official.configure({ googlePermissionStatus: 401 })
  const same = await stores.google.check({ credentials, appIds: ['com.example.other'] }, stores.context)
  assertFailed(same, 'forbidden', /Invite it/)
  const wrongBucket = { ...credentials, reportsBucket: 'gs://pubsite_prod_rev_2/reviews/' }
  const warned = await stores.google.check({ credentials: wrongBucket, appIds: [GOOGLE_APP] }, stores.context)
  assert.ok(warned.kind === 'ok')
  assert.equal(warned.rights.history, 'denied')
  assert.match(warned.warnings[0] ?? '', /may not read the bucket pubsite_prod_rev_2/)
  const listed = await stores.google.apps({ credentials }, stores.context)
  assertFailed(listed, 'unsupported', /cannot list apps/)
})

test('each mistake in the service account has its reason and its sentence', async () => {
  await using stores = await startOfficialStores()
  const good = stores.googleCredentials({ appIds: [GOOGLE_APP] })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const pem = (key: typeof other) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const cases: readonly [Partial<GooglePlayCredentials>, OfficialFailure['reason'], RegExp][] = [
    [{ privateKey: pem(ec) }, 'invalid_credentials', /An RSA key of 2048 bits/],
    [{ privateKey: 'x' }, 'invalid_credentials', /PEM format/],
    [{ privateKey: pem(other) }, 'unauthorized', /private key belongs to another account/],
    [{ privateKeyId: 'f'.repeat(40) }, 'unauthorized', /key was deleted/],
    [
      { clientEmail: 'nobody@example-project.iam.gserviceaccount.com' },
      'unauthorized',
      /nobody@.*deleted or disabled/,
    ],
  ]
  for (const [change, reason, sentence] of cases) {
    const credentials = { ...good, ...change }
    const check = await stores.google.check({ credentials, appIds: [GOOGLE_APP] }, stores.context)
    assertFailed(check, reason, sentence)
    assert.equal(check.field, 'service_account')
  }
  const disabled = stores.googleCredentials({ appIds: [GOOGLE_APP], apiEnabled: false })
  const check = await stores.google.check({ credentials: disabled, appIds: [GOOGLE_APP] }, stores.context)
  assertFailed(check, 'api_disabled', /not enabled in the Google Cloud project/)
})

test('a clock that differs from that of Google is named', async () => {
  await using stores = await startOfficialStores()
  const query = { credentials: stores.googleCredentials({ appIds: [GOOGLE_APP] }), appIds: [GOOGLE_APP] }
  stores.world.official.configure({ clockSkewMs: 2 * HOUR_MS })
  assertFailed(await stores.google.check(query, stores.context), 'clock_skew', /2 hours behind Google's/)
  stores.world.official.configure({ clockSkewMs: -2 * HOUR_MS })
  assertFailed(await stores.google.check(query, stores.context), 'clock_skew', /2 hours ahead of Google's/)
})

test('quotas are limits in both of their forms, and reads are not sent beyond the hourly one', async () => {
  await using stores = await startOfficialStores()
  const query = {
    credentials: stores.googleCredentials({ appIds: [GOOGLE_APP] }),
    appId: GOOGLE_APP,
    cursor: null,
  }
  stores.world.official.configure({ googleReadsPerHour: 0, googleQuotaStatus: 403 })
  const old = await stores.google.reviewsPage(query, stores.context)
  assertFailed(old, 'rate_limited', /quota/)
  assert.equal(old.retryAfterMs, 600_000)
  stores.world.official.configure({ googleQuotaStatus: 429 })
  assertFailed(await stores.google.reviewsPage(query, stores.context), 'rate_limited', /quota/)
  stores.world.official.configure({ googleReadsPerHour: 200 })
  const { google } = stores.restart()
  let sent = 0
  for (let minute = 0; minute < 60; minute += 1) {
    for (let index = 0; index < 5; index += 1) {
      const page = await google.reviewsPage(query, stores.context)
      if (page.kind === 'ok') sent += 1
      else {
        assertFailed(page, 'rate_limited', /200 reads an hour/)
        assert.equal(page.status, null, 'nothing was requested')
        break
      }
    }
    stores.clock.leap(60_000)
  }
  assert.ok(sent > 190 && sent <= 200, `${sent} reads`)
})

test('other failures are values', async () => {
  await using stores = await startOfficialStores()
  const query = {
    credentials: stores.googleCredentials({ appIds: [GOOGLE_APP] }),
    appId: GOOGLE_APP,
    cursor: null,
  }
  const page = () => stores.google.reviewsPage(query, stores.context)
  const source = 'googleplay-developer'
  assert.equal((await page()).kind, 'ok')
  stores.world.setFault({ store: 'google', source, times: 2 }, { kind: 'status', status: 500 })
  assertFailed(await page(), 'unavailable', /status 500/)
  stores.world.setFault({ store: 'google', source, times: 1 }, { kind: 'html' })
  assertFailed(await page(), 'changed', /not a JSON object/)
  stores.world.setFault({ store: 'google', source, times: 1 }, { kind: 'status', status: 404 })
  assertFailed(await page(), 'app_not_found', /no app with the package name/)
  stores.world.setFault({ store: 'google', source, times: 1 }, { kind: 'status', status: 409 })
  assertFailed(await page(), 'changed', /status 409/)
  const { google } = stores.restart()
  stores.world.setFault({ store: 'google', source: 'oauth', times: 1 }, { kind: 'html' })
  const noToken = await google.reviewsPage(query, stores.context)
  assertFailed(noToken, 'changed', /no access token/)
  assert.equal(noToken.raw, undefined)
})

test('a reply is published at once, without its tags, and repeating it writes nothing', async () => {
  await using stores = await startOfficialStores()
  const [reviewId = ''] = addReviews(stores.world, en, 1, { now: stores.clock.now() })
  const query = {
    credentials: stores.googleCredentials({ appIds: [GOOGLE_APP] }),
    appId: GOOGLE_APP,
    reviewId,
  }
  const text = `<b>Thanks.</b> ${'x'.repeat(340)}`
  const first = await stores.google.reply({ ...query, text, replaces: null }, stores.context)
  assert.ok(first.kind === 'ok', JSON.stringify(first))
  assert.deepEqual(
    [first.written, first.reply.state, first.reply.text],
    [true, 'published', `Thanks. ${'x'.repeat(340)}`],
  )
  const again = await stores.google.reply({ ...query, text, replaces: null }, stores.context)
  assert.ok(again.kind === 'ok' && !again.written)
  assert.equal(
    (await stores.google.reply({ ...query, text: 'Other', replaces: null }, stores.context)).kind,
    'conflict',
  )
  const edited = await stores.google.reply({ ...query, text: 'Other', replaces: text }, stores.context)
  assert.ok(edited.kind === 'ok' && edited.written)
  const shown = await stores.google.review(query, stores.context)
  assert.ok(shown.kind === 'ok')
  assert.equal(shown.review.reply?.text, 'Other')
  const posts = stores.world
    .requests('google')
    .filter(({ method, source }) => method === 'POST' && source !== 'oauth')
  assert.equal(posts.length, 2)
  assertFailed(await stores.google.deleteReply(query, stores.context), 'unsupported', /cannot delete a reply/)
})

test('a reply that is too long, refused or of a review that is gone is a failure', async () => {
  await using stores = await startOfficialStores()
  const [reviewId = ''] = addReviews(stores.world, en, 1, { now: stores.clock.now() })
  const query = {
    credentials: stores.googleCredentials({ appIds: [GOOGLE_APP] }),
    appId: GOOGLE_APP,
    reviewId,
    replaces: null,
  }
  const long = await stores.google.reply({ ...query, text: '🎉'.repeat(351) }, stores.context)
  assertFailed(long, 'rejected', /351 characters; Google Play accepts at most 350/)
  const exact = await stores.google.reply({ ...query, text: '🎉'.repeat(350) }, stores.context)
  assert.equal(exact.kind, 'ok')
  const gone = { ...query, reviewId: 'gp:AOqpTOF/none', text: 'Hi' }
  assertFailed(
    await stores.google.reply(gone, stores.context),
    'review_not_found',
    /no longer has the review gp:AOqpTOF\/none/,
  )
  stores.world.official.configure({ googleRepliesPerDay: 1 })
  const limited = await stores.google.reply(
    { ...query, text: 'Hi', replaces: '🎉'.repeat(350) },
    stores.context,
  )
  assertFailed(limited, 'rate_limited', /quota/)
})

const PLAIN = { rating: 5, title: null, author: 'Ann', version: null } as const

async function readAll(stores: OfficialStores, credentials: GooglePlayCredentials) {
  const reviews: OfficialReview[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const page = await stores.google.reviewsPage({ credentials, appId: GOOGLE_APP, cursor }, stores.context)
    assert.ok(page.kind === 'ok', JSON.stringify(page))
    reviews.push(...page.reviews)
    pages += 1
    cursor = page.next
  } while (cursor !== null)
  return { reviews, pages }
}
