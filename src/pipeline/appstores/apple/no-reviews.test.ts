import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  APP,
  addApp,
  addReviews,
  type SimulatedApple,
  startSimulatedApple,
} from '../../../../test/support/simulated-apple.ts'
import type { Fault } from '../../../simulate/fault.ts'
import type { ReviewsPage } from '../appstore.ts'

const never = new AbortController().signal

function page(apple: SimulatedApple, appId = APP): Promise<ReviewsPage> {
  return apple.store.reviewsPage({ appId, market: 'us', cursor: null }, apple.pace, never)
}

function fail(apple: SimulatedApple, sources: readonly string[], fault: Fault): void {
  for (const source of sources) apple.world.setFault({ store: 'apple', source }, fault)
}

const EMPTY_DATA = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"data":[]}' }

test('an app is empty when the web store has no reviews either and lookup finds the app', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  apple.world.setRating({ store: 'apple', appId: APP, storefront: 'us' }, { average: '4.5', count: 12 })
  assert.deepEqual(await page(apple), { kind: 'empty', source: 'web' })
  assert.deepEqual(apple.requestedSources(), ['rss', 'rss', 'web', 'lookup'])
})

test('a web store that lists no reviews needs no lookup', async () => {
  await using apple = await startSimulatedApple((request) =>
    request.url.includes('/api/apps/') ? EMPTY_DATA : null,
  )
  addApp(apple.world)
  assert.deepEqual(await page(apple), { kind: 'empty', source: 'web' })
  assert.deepEqual(apple.requestedSources(), ['rss', 'rss'])
})

test('an empty feed is confirmed when another source lists no reviews and lookup has no ratings', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  fail(apple, ['web', 'page'], { kind: 'status', status: 500 })
  const answer = await page(apple)
  assert.ok(answer.kind === 'empty')
  assert.equal(answer.source, 'lookup')
  assert.deepEqual(
    answer.earlierFailures?.map((one) => one.source),
    ['web', 'page'],
  )
})

test('0 stars of 0 ratings alone does not prove that there are no reviews', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  fail(apple, ['web', 'row', 'page'], { kind: 'status', status: 500 })
  assert.equal((await page(apple)).kind, 'unknown')
  assert.equal(apple.requestedSources().at(-1), 'lookup')
})

/** An app with a feed of a changed format and no reviews in the other sources. The test sets the lookup's answer. */
async function changedFeed(reviews: number, hideElsewhere = true) {
  const apple = await startSimulatedApple((request) =>
    hideElsewhere && request.url.includes('/api/apps/') ? EMPTY_DATA : null,
  )
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', reviews)
  fail(apple, ['rss'], { kind: 'changed' })
  fail(apple, ['row', 'page'], { kind: 'gone' })
  return apple
}

test('a changed feed takes precedence over a lookup without ratings, and its raw answer is stored', async () => {
  await using apple = await changedFeed(20)
  const answer = await page(apple)
  assert.ok(answer.kind === 'changed', JSON.stringify(answer).slice(0, 200))
  assert.equal(answer.source, 'rss')
  assert.match(answer.raw ?? '', /im:stars/)
})

test('a changed feed with reviews takes precedence over a lookup that does not find the app', async () => {
  await using apple = await changedFeed(20)
  fail(apple, ['lookup'], { kind: 'gone' })
  assert.equal((await page(apple)).kind, 'changed')
})

test('a gone app takes precedence over a changed answer without reviews, and the raw answer is stored', async () => {
  await using apple = await startSimulatedApple((request) =>
    request.url.includes('userReviewsRow')
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: '{"failure":"none"}' }
      : null,
  )
  fail(apple, ['web'], { kind: 'status', status: 500 })
  const answer = await page(apple)
  assert.ok(answer.kind === 'gone')
  assert.equal(answer.raw, '{"failure":"none"}')
  assert.match(answer.detail, /no app .*userReviewList/)
})

test('a block takes precedence over a web store without reviews', async () => {
  await using apple = await startSimulatedApple((request) => {
    if (request.url.includes('/api/apps/')) return EMPTY_DATA
    return request.url.includes('/xml') ? { status: 403, headers: {}, body: '' } : null
  })
  addApp(apple.world)
  assert.equal((await page(apple)).kind, 'blocked')
})

test('a page includes the raw answer of an earlier source with a changed format', async () => {
  await using apple = await changedFeed(20, false)
  const answer = await page(apple)
  assert.ok(answer.kind === 'ok')
  assert.equal(answer.source, 'web')
  assert.deepEqual(
    answer.earlierFailures?.map((one) => [one.source, one.kind]),
    [
      ['rss', 'changed'],
      ['rss_xml', 'changed'],
    ],
  )
  assert.match(answer.earlierFailures?.[0]?.raw ?? '', /im:stars/)
})

test('an app page without any known kind of node is changed', async () => {
  const html = '<html><script id="serialized-server-data">[{"$kind":"Novelty"}]</script></html>'
  await using apple = await startSimulatedApple((request) =>
    request.url.includes('see-all=reviews') ? { status: 200, headers: {}, body: html } : null,
  )
  addApp(apple.world)
  fail(apple, ['web', 'row'], { kind: 'status', status: 500 })
  const answer = await page(apple)
  assert.ok(answer.kind === 'changed')
  assert.equal(answer.source, 'page')
  assert.match(answer.raw ?? '', /Novelty/)
})

test('a first page starts with the source used last, and takes one request', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 20)
  const first = (startWith: string) =>
    apple.store.reviewsPage({ appId: APP, market: 'us', cursor: null, startWith }, apple.pace, never)
  for (const [source, host] of [
    ['web', 'web'],
    ['row', 'row'],
    ['rss_xml', 'rss'],
  ] as const) {
    const before = apple.permits()
    const answer = await first(source)
    assert.ok(answer.kind === 'ok')
    assert.deepEqual(
      [answer.source, apple.requestedSources().at(-1), apple.permits() - before],
      [source, host, 1],
    )
  }
  fail(apple, ['web'], { kind: 'status', status: 500 })
  const answer = await first('web')
  assert.deepEqual([answer.source, apple.requestedSources().slice(-2)], ['rss', ['web', 'rss']])
})

test('the feed is compared with a source that has its own index', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 20)
  const other = (than: string) =>
    apple.store.otherReviewsPage({ appId: APP, market: 'us', than }, apple.pace, never)
  assert.equal((await other('rss')).source, 'web')
  assert.equal((await other('web')).source, 'rss')
  fail(apple, ['web', 'row'], { kind: 'status', status: 500 })
  assert.equal((await other('rss_xml')).kind, 'unknown')
})

test('an app that lookup does not find is gone', async () => {
  await using apple = await startSimulatedApple()
  const answer = await page(apple)
  assert.equal(answer.kind, 'gone')
})

test('an id that is not a number is gone without a request', async () => {
  await using apple = await startSimulatedApple()
  for (const appId of ['com.example.app', '', '0', '12 34', '1,2', `${'9'.repeat(20)}`]) {
    assert.equal((await page(apple, appId)).kind, 'gone')
  }
  assert.equal(apple.permits(), 0)
})

test('an empty feed of an app with ratings is unknown, never no reviews', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 20)
  apple.world.setRating({ store: 'apple', appId: APP, storefront: 'us' }, { average: '4.5', count: 12 })
  fail(apple, ['rss', 'row'], { kind: 'empty_shell' })
  fail(apple, ['row'], { kind: 'transient_empty' })
  fail(apple, ['web', 'page'], { kind: 'status', status: 500 })
  const answer = await page(apple)
  assert.equal(answer.kind, 'unknown')
  assert.equal(apple.permits(), 6)
})

test('an empty page that links to reviews never counts as empty', async () => {
  await using apple = await startSimulatedApple((request) =>
    request.url.includes('/api/apps/') ? EMPTY_DATA : null,
  )
  addApp(apple.world)
  fail(apple, ['rss'], { kind: 'transient_empty' })
  const answer = await page(apple)
  assert.equal(answer.kind, 'unknown')
  assert.ok(!apple.requestedSources().includes('lookup'))
})

for (const status of [403, 429, 503]) {
  test(`after status ${status} the feed’s host gets no more requests, and the web store gets one`, async () => {
    await using apple = await startSimulatedApple()
    addApp(apple.world)
    addReviews(apple.world, APP, 'us', 5)
    fail(apple, ['rss'], { kind: 'status', status, retryAfterSeconds: 90 })
    const served = await page(apple)
    assert.ok(served.kind === 'ok' && served.source === 'web')
    assert.deepEqual(apple.requestedSources(), ['rss', 'web'])
    fail(apple, ['web'], { kind: 'status', status: 429, retryAfterSeconds: 30 })
    const answer = await page(apple)
    assert.ok(answer.kind === 'blocked')
    assert.equal(answer.retryAfterMs, 90_000)
    assert.deepEqual(apple.requestedSources().slice(2), ['rss', 'web'])
  })
}

for (const kind of ['html', 'captcha'] as const) {
  test(`an answer of ${kind} instead of data is blocked`, async () => {
    await using apple = await startSimulatedApple()
    addApp(apple.world)
    fail(apple, ['rss', 'web', 'row'], { kind })
    assert.equal((await page(apple)).kind, 'blocked')
    assert.deepEqual(apple.requestedSources(), ['rss', 'web'])
  })
}

test('lookup makes no request to a blocked host', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  fail(apple, ['rss'], { kind: 'empty_shell' })
  fail(apple, ['row'], { kind: 'status', status: 403 })
  fail(apple, ['web', 'page'], { kind: 'status', status: 500 })
  assert.equal((await page(apple)).kind, 'blocked')
  assert.deepEqual(apple.requestedSources(), ['rss', 'rss', 'web', 'row', 'page'])
})

const answers = [
  [
    'a redirect',
    { status: 302, headers: { location: 'https://apps.example/elsewhere' }, body: '' },
    'changed',
  ],
  [
    'a redirect to a captcha',
    { status: 302, headers: { location: 'https://x.example/captcha' }, body: '' },
    'blocked',
  ],
  ['a status never seen', { status: 418, headers: {}, body: 'teapot' }, 'changed'],
  ['status 400 without the known text', { status: 400, headers: {}, body: 'no' }, 'changed'],
  ['an empty body', { status: 200, headers: {}, body: '' }, 'unknown'],
  ['an empty comment', { status: 200, headers: {}, body: '<!-- Empty -->' }, 'unknown'],
  ['text that is not JSON', { status: 200, headers: {}, body: '{"feed":' }, 'changed'],
  ['JSON of another shape', { status: 200, headers: {}, body: '[1]' }, 'changed'],
  ['more than 16 MiB', { status: 200, headers: {}, body: ' '.repeat(16 * 1024 * 1024 + 1) }, 'changed'],
] as const

for (const [what, reply, outcome] of answers) {
  test(`${what} from every source is ${outcome}`, async () => {
    await using apple = await startSimulatedApple(() => reply)
    const answer = await page(apple)
    assert.equal(answer.kind, outcome)
  })
}

test('an app page without data is blocked with a captcha, and changed otherwise', async () => {
  for (const [words, outcome] of [
    ['Please solve the CAPTCHA', 'blocked'],
    ['Hello', 'changed'],
  ] as const) {
    await using apple = await startSimulatedApple((request) =>
      request.url.includes('see-all=reviews')
        ? { status: 200, headers: {}, body: `<!DOCTYPE html><html><body>${words}</body></html>` }
        : { status: 500, headers: {}, body: '' },
    )
    assert.equal((await page(apple)).kind, outcome)
  }
})

test('server errors and dropped connections are unknown', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  fail(apple, ['rss', 'web', 'row', 'page'], { kind: 'status', status: 502 })
  assert.equal((await page(apple)).kind, 'unknown')
  apple.world.clearFaults()
  fail(apple, ['rss', 'web', 'row', 'page'], { kind: 'drop' })
  assert.equal((await page(apple)).kind, 'unknown')
})

test('an unknown format is changed and stores at most 64 KiB of the answer', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 50, 7_000_000_001, '€'.repeat(1000))
  fail(apple, ['rss', 'web', 'row', 'page'], { kind: 'changed' })
  const answer = await page(apple)
  assert.ok(answer.kind === 'changed')
  assert.match(answer.raw ?? '', /im:stars/)
  const rawBytes = Buffer.byteLength(answer.raw ?? '')
  assert.ok(rawBytes <= 64 * 1024 && rawBytes > 64 * 1024 - 4, `${rawBytes} bytes`)
})

test('a changed feed loses no review while the web store works', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 5)
  fail(apple, ['rss'], { kind: 'changed' })
  const answer = await page(apple)
  assert.ok(answer.kind === 'ok' && answer.source === 'web' && answer.reviews.length === 5)
})

test('a block takes precedence over a changed format and includes its raw answer', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 5)
  fail(apple, ['rss', 'row'], { kind: 'changed' })
  fail(apple, ['web'], { kind: 'status', status: 429 })
  const answer = await page(apple)
  assert.ok(answer.kind === 'blocked')
  assert.match(answer.raw ?? '', /im:stars/)
})

test('an app missing in one storefront is still found in the others', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 2)
  addReviews(apple.world, APP, 'fr', 2)
  apple.world.setFault({ store: 'apple', market: 'fr' }, { kind: 'gone' })
  assert.equal((await page(apple)).kind, 'ok')
  const answer = await apple.store.reviewsPage({ appId: APP, market: 'fr', cursor: null }, apple.pace, never)
  assert.equal(answer.kind, 'gone')
})

test('a denied permit ends the poll before any request', async () => {
  await using apple = await startSimulatedApple()
  const answer = await apple.store.reviewsPage(
    { appId: APP, market: 'us', cursor: null },
    async () => false,
    never,
  )
  assert.ok(answer.kind === 'unknown')
  assert.match(answer.detail, /Stopped/)
  assert.deepEqual(apple.requestedSources(), [])
})

test('an aborted signal ends the poll without a request to the other sources', async () => {
  const stop = new AbortController()
  await using apple = await startSimulatedApple(() => {
    stop.abort()
    return { status: 200, headers: {}, body: '', drop: true }
  })
  const answer = await apple.store.reviewsPage(
    { appId: APP, market: 'us', cursor: null },
    apple.pace,
    stop.signal,
  )
  assert.equal(answer.kind, 'unknown')
  assert.equal(apple.permits(), 1)
})
