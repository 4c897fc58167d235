import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proceed, type Script, stop } from '../../../../test/support/scripted-egress.ts'
import {
  app,
  appId,
  callOf,
  details,
  firstPage,
  noPayload,
  page,
  review,
  signal,
  withAnswers,
} from '../../../../test/support/scripted-google.ts'
import { detailsPage, reviewsPayload, rpcAnswer, searchPage } from '../../../simulate/google/wire.ts'
import type { createGoogle } from './google.ts'

const captcha: Script = { body: '<html>Our systems have detected unusual traffic from your network</html>' }

test('the first page requests the newest 150 reviews of the language, and its token leads to the next', async () => {
  const { google, requests } = withAnswers(page('UsvDTd', [review(2), review(1)], 'CtgB/+='))
  const answer = await firstPage(google, 'pt')
  assert.equal(answer.kind, 'ok')
  if (answer.kind !== 'ok') return
  assert.equal(answer.source, 'UsvDTd')
  assert.deepEqual(
    answer.reviews.map((one) => one.reviewId),
    ['id-2', 'id-1'],
  )
  const request = requests[0]
  assert.equal(request?.method, 'POST')
  assert.match(request?.url ?? '', /^http:\/\/play\.test\/_\/PlayStoreUi\/data\/batchexecute\?/)
  assert.match(request?.url ?? '', /hl=pt&gl=br/)
  assert.deepEqual(callOf(request?.body), [
    'UsvDTd',
    [null, null, [2, 2, [150, null, null], null, []], [appId, 7]],
  ])

  const second = withAnswers(page('UsvDTd', [review(0)], null))
  const last = await second.google.reviewsPage({ appId, market: 'pt', cursor: answer.next }, proceed, signal)
  assert.deepEqual(callOf(second.requests[0]?.body)[1], [
    null,
    null,
    [2, 2, [150, null, 'CtgB/+='], null, []],
    [appId, 7],
  ])
  assert.equal(last.kind === 'ok' ? last.next : 'not ok', null)
})

test("status 403, 429 and 503 are blocked, with the store's Retry-After", async () => {
  const date = 'Wed, 01 Jul 2026 10:00:00 GMT'
  const waits: [Record<string, string>, number | undefined][] = [
    [{}, undefined],
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': 'Wed, 01 Jul 2026 10:01:00 GMT', date }, 60_000],
    [{ 'retry-after': 'Wed, 01 Jul 2026 09:00:00 GMT', date }, 0],
    [{ 'retry-after': 'Wed, 01 Jul 2026 10:01:00 GMT' }, undefined],
    [{ 'retry-after': '99999999' }, 86_400_000],
    [{ 'retry-after': 'soon' }, undefined],
  ]
  for (const status of [403, 429, 503]) {
    for (const [headers, wait] of waits) {
      const answer = await firstPage(withAnswers({ status, headers }).google)
      assert.equal(answer.kind, 'blocked')
      assert.equal(answer.kind === 'blocked' ? answer.retryAfterMs : -1, wait, JSON.stringify(headers))
    }
  }
})

test('a captcha, a consent page and a redirect to either are blocked', async () => {
  for (const script of [
    captcha,
    { body: '<html><script src="https://www.google.com/recaptcha/api.js"></script></html>' },
    { body: '<html><form action="https://consent.google.com/save"></form></html>' },
    { status: 400, body: '<html>unusual traffic</html>' },
    { status: 302, headers: { location: 'https://consent.google.com/m?continue=x' } },
    { status: 302, headers: { location: 'https://www.google.com/sorry/index?continue=x' } },
  ]) {
    for (const answer of [
      await firstPage(withAnswers(script).google),
      await ratingOf(withAnswers(script).google),
      await withAnswers(script).google.search({ term: 'x', storefront: 'us', limit: 5 }, proceed, signal),
    ]) {
      assert.equal(answer.kind, 'blocked', JSON.stringify(script))
    }
  }
})

test('an unreadable answer is changed and stores at most 64 KiB', async () => {
  const long = `<html>${'ä'.repeat(100_000)}`
  const answer = await firstPage(withAnswers({ body: long }, { body: long }, { body: long }).google)
  assert.equal(answer.kind, 'changed')
  const raw = answer.kind === 'changed' ? (answer.raw ?? '') : ''
  assert.ok(raw.startsWith('<html>ä') && Buffer.byteLength(raw) <= 65_536 && !raw.includes('\uFFFD'))

  const starless = reviewsPayload([review(1)], null)
  ;((starless[0] as unknown[][])[0] as unknown[])[2] = null
  const broken = ['UsvDTd', 'oCPfdb', 'oCPfdb'].map((rpcId) => ({ body: rpcAnswer(rpcId, starless) }))
  const changed = await firstPage(withAnswers(...broken).google)
  assert.equal(changed.kind, 'changed')
  assert.match(changed.kind === 'changed' ? changed.detail : '', /no stars from 1 to 5/)

  for (const script of [
    { status: 400 },
    { status: 404 },
    { status: 301, headers: { location: '/elsewhere' } },
  ]) {
    assert.equal(
      (await firstPage(withAnswers(script, script, script).google)).kind,
      'changed',
      JSON.stringify(script),
    )
  }
})

test('a failed connection and a server error are unknown and not retried at once', async () => {
  for (const script of [
    'reset',
    { status: 500 },
    { status: 502, headers: { 'retry-after': '5' } },
  ] as const) {
    const { google, left } = withAnswers(script)
    assert.equal((await firstPage(google)).kind, 'unknown')
    assert.equal(left(), 0)
  }
})

test('a request has a deadline, a size limit, and accepts gzip; a larger answer is changed', async () => {
  const { google, requests } = withAnswers({ ...details, truncated: true })
  assert.equal((await ratingOf(google)).kind, 'changed')
  assert.equal(requests[0]?.gunzip, true)
  assert.equal(requests[0]?.timeoutMs, 20_000)
  assert.equal(requests[0]?.bodyBytesMax, 4 * 1024 * 1024)
  assert.equal(requests[0]?.signal, signal)
})

test('every request requires a permit', async () => {
  const { google, requests } = withAnswers()
  const answers = [
    await google.reviewsPage({ appId, market: 'en', cursor: null }, stop, signal),
    await google.search({ term: 'x', storefront: 'us', limit: 5 }, stop, signal),
    await google.app({ appId, storefront: 'us' }, stop, signal),
    (await google.ratings({ appIds: [appId], storefront: 'us' }, stop, signal)).get(appId),
    await google.firstPublishedAt({ appId, market: 'en', reviewId: 'id-1' }, stop, signal),
  ]
  for (const answer of answers) {
    assert.ok(answer && 'kind' in answer && answer.kind === 'unknown' && /Stopped/.test(answer.detail))
  }
  assert.equal(requests.length, 0)

  let permits = 0
  const counting = withAnswers(page('UsvDTd', [], 'more'), page('UsvDTd', [], null), details)
  const pace = () => Promise.resolve(++permits > 0)
  await counting.google.reviewsPage({ appId, market: 'en', cursor: null }, pace, signal)
  assert.equal(permits, 3)
})

test('a rating is requested for the storefront in its language', async () => {
  const { google, requests } = withAnswers(details)
  const answer = await ratingOf(google)
  assert.deepEqual(answer.kind === 'ok' ? answer.rating : answer.kind, { micros: 4_250_000, count: 40 })
  assert.match(requests[0]?.url ?? '', /\/store\/apps\/details\?id=com\.example\.atlas&hl=pt&gl=br$/)
})

test('an unrated app is empty with its name, a missing app is gone, and a changed page includes its raw answer', async () => {
  const unrated = await ratingOf(withAnswers({ body: detailsPage({ ...app, rating: null }) }).google)
  assert.equal(unrated.kind, 'empty')
  assert.equal(unrated.kind === 'empty' ? unrated.app?.name : '', 'Atlas')
  assert.equal((await ratingOf(withAnswers({ status: 404 }).google)).kind, 'gone')
  const changed = await ratingOf(withAnswers({ body: '<html>new</html>' }).google)
  assert.equal(changed.kind === 'changed' ? changed.raw : changed.kind, '<html>new</html>')
})

test('the first version of an edited review is the oldest in its history', async () => {
  const versions = [3, 1, 2].map((day) => ({ ...review(day), id: 'id-1' }))
  const { google, requests } = withAnswers({
    body: rpcAnswer('UsvDTd', [[...reviewsPayload(versions, null)][0]]),
  })
  const query = { appId, market: 'de', reviewId: 'id-1' }
  assert.deepEqual(await google.firstPublishedAt(query, proceed, signal), review(1).shownAt)
  assert.deepEqual(callOf(requests[0]?.body)[1], [null, null, [4, null, [100]], [appId, 7], 'id-1'])

  const nothing = withAnswers({ body: rpcAnswer('UsvDTd', []) })
  assert.equal(await nothing.google.firstPublishedAt(query, proceed, signal), null)
  const another = withAnswers(page('UsvDTd', [review(5)], null))
  assert.equal(await another.google.firstPublishedAt(query, proceed, signal), null)
  const failed = await withAnswers(noPayload).google.firstPublishedAt(query, proceed, signal)
  assert.ok(failed !== null && 'kind' in failed && failed.kind === 'unknown')
})

test('a search returns at most the requested number of apps; one app is found by its id', async () => {
  const apps = ['a', 'b', 'c'].map((name) => ({ ...app, appId: `com.example.${name}`, name }))
  const { google, requests } = withAnswers({ body: searchPage('über & co', null, apps) })
  const found = await google.search({ term: 'über & co', storefront: 'jp', limit: 2 }, proceed, signal)
  assert.equal(found.kind === 'ok' ? found.apps.length : -1, 2)
  const url = new URL(requests[0]?.url ?? '')
  assert.deepEqual(
    ['q', 'c', 'hl', 'gl'].map((name) => url.searchParams.get(name)),
    ['über & co', 'apps', 'ja', 'jp'],
  )
  const changed = await withAnswers({ body: '<html></html>' }).google.search(
    { term: 'x', storefront: 'us', limit: 2 },
    proceed,
    signal,
  )
  assert.equal(changed.kind, 'changed')

  const one = await withAnswers(details).google.app({ appId, storefront: 'us' }, proceed, signal)
  assert.equal(one.kind === 'ok' ? one.apps[0]?.name : one.kind, 'Atlas')
  const none = await withAnswers({ status: 404 }).google.app({ appId, storefront: 'us' }, proceed, signal)
  assert.equal(none.kind, 'gone')
})

async function ratingOf(google: ReturnType<typeof createGoogle>) {
  const answers = await google.ratings({ appIds: [appId], storefront: 'br' }, proceed, signal)
  const answer = answers.get(appId)
  assert.ok(answer)
  return answer
}
