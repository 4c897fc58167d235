import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proceed, type Script, scriptedEgress, stop } from '../../../../test/support/scripted-egress.ts'
import {
  detailsPage,
  reviewsPayload,
  rpcAnswer,
  searchPage,
  type WireApp,
  type WireReview,
} from '../../../simulate/google/wire.ts'
import { createGoogle } from './google.ts'

const appId = 'com.example.atlas'
const app: WireApp = {
  appId,
  name: 'Atlas',
  developer: 'Example Works',
  iconUrl: null,
  rating: { average: '4.25', count: 40 },
}
const details: Script = { body: detailsPage(app) }
const captcha: Script = { body: '<html>Our systems have detected unusual traffic from your network</html>' }
const noPayload: Script = { body: rpcAnswer('UsvDTd', null, { error: [3] }) }
const signal = new AbortController().signal

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

test('an empty page with a token leads to the next page, at most three times', async () => {
  const empty = page('UsvDTd', [], 'more')
  const { google, left } = withAnswers(empty, empty, page('UsvDTd', [review(1)], null))
  assert.equal((await firstPage(google)).kind, 'ok')
  assert.equal(left(), 0)

  const endless = withAnswers(empty, empty, empty, empty, empty)
  const answer = await firstPage(endless.google)
  assert.equal(answer.kind, 'unknown')
  assert.equal(endless.left(), 1)
})

test('an answer without reviews is empty when the app page exists, and gone otherwise', async () => {
  const empty = page('UsvDTd', [], null)
  const there = withAnswers(empty, details)
  assert.deepEqual(await firstPage(there.google, 'sv'), { kind: 'empty', source: 'UsvDTd' })
  assert.match(there.requests[1]?.url ?? '', /\/store\/apps\/details\?id=com\.example\.atlas&hl=sv&gl=se$/)
  const gone = await firstPage(withAnswers(empty, { status: 404 }).google)
  assert.equal(gone.kind, 'gone')
  const blocked = await firstPage(withAnswers(empty, { status: 429 }).google)
  assert.equal(blocked.kind, 'blocked')
})

test('an app without reviews is looked for in every storefront given, and gone only when none has it', async () => {
  const answerOf = async (...pages: Script[]) => {
    const scripted = withAnswers(page('UsvDTd', [], null), ...pages)
    const storefronts = async () => ['ie', 'in'] as const
    const answer = await scripted.google.reviewsPage(
      { appId, market: 'en', cursor: null, storefronts },
      proceed,
      signal,
    )
    const countries = scripted.requests.slice(1).map(({ url }) => new URL(url).searchParams.get('gl'))
    return { answer, countries }
  }
  const missing: Script = { status: 404 }
  const sold = await answerOf(missing, details)
  assert.deepEqual([sold.answer.kind, sold.countries], ['empty', ['ie', 'in']])
  assert.deepEqual((await answerOf(details)).countries, ['ie'])
  const gone = await answerOf(missing, missing)
  assert.ok(gone.answer.kind === 'gone')
  assert.match(gone.answer.detail, / in ie \(.* in in \(/)
  assert.equal((await answerOf(missing, { status: 500 })).answer.kind, 'unknown')
  assert.deepEqual((await answerOf({ status: 429 })).answer.kind, 'blocked')
})

test('an empty last page needs no request for the app page', async () => {
  const { google } = withAnswers(page('UsvDTd', [], null))
  const answer = await google.reviewsPage({ appId, market: 'en', cursor: 'UsvDTd:short:t' }, proceed, signal)
  assert.deepEqual(answer, { kind: 'empty', source: 'UsvDTd' })
})

test('a null payload of both rpcs is unknown, never empty', async () => {
  const recovered = withAnswers(noPayload, page('oCPfdb', [review(1)], 'next'))
  const answer = await firstPage(recovered.google)
  assert.equal(answer.kind, 'ok')
  assert.equal(answer.kind === 'ok' ? answer.next : '', 'oCPfdb:short:next')
  assert.deepEqual(callOf(recovered.requests[1]?.body), [
    'oCPfdb',
    [null, [2, 2, [150, null, null], null, new Array(9).fill(null)], [appId, 7]],
  ])

  const gateway = [5, null, [['type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError', [1]]]]
  const failing = withAnswers(
    { body: rpcAnswer('UsvDTd', null, { error: gateway }) },
    {
      body: rpcAnswer('oCPfdb', null),
    },
  )
  const unknown = await firstPage(failing.google)
  assert.equal(unknown.kind, 'unknown')
  assert.ok(unknown.kind === 'unknown' && /PlayGatewayError/.test(unknown.detail))
  assert.ok(unknown.kind === 'unknown' && (unknown.retryAfterMs ?? 0) > 0)
})

test('paging stays with its first rpc', async () => {
  const { google, requests, left } = withAnswers({ body: rpcAnswer('oCPfdb', null) }, noPayload)
  const answer = await google.reviewsPage(
    { appId, market: 'en', cursor: 'oCPfdb:short:a:b' },
    proceed,
    signal,
  )
  assert.equal(answer.kind, 'unknown')
  assert.equal(left(), 1)
  assert.deepEqual(callOf(requests[0]?.body)[1], [
    null,
    [2, 2, [150, null, 'a:b'], null, new Array(9).fill(null)],
    [appId, 7],
  ])
})

test('no data after a full page is the end, to be confirmed by the next poll, and after a short page unknown', async () => {
  const full = Array.from({ length: 150 }, (_, index) => review(150 - index))
  const unreadable = full.map((one, index) => (index === 7 ? { ...one, stars: 0 } : one))
  const gateway = [5, null, [['type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError', [1]]]]
  const cases: [WireReview[], Script, string][] = [
    [full, noPayload, 'empty'],
    [full, { body: rpcAnswer('UsvDTd', null) }, 'empty'],
    [full, { body: rpcAnswer('UsvDTd', null, { error: gateway }) }, 'unknown'],
    [full.slice(1), noPayload, 'unknown'],
    [unreadable, noPayload, 'unknown'],
  ]
  for (const [rows, then, kind] of cases) {
    const { google, left } = withAnswers(page('UsvDTd', rows, 'more'), then)
    const first = await firstPage(google)
    assert.ok(first.kind === 'ok' && first.next !== null)
    const second = await google.reviewsPage({ appId, market: 'en', cursor: first.next }, proceed, signal)
    assert.equal(second.kind, kind)
    assert.equal('unconfirmed' in second, kind === 'empty')
    assert.equal(left(), 0)
  }
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

test('a changed format of one rpc falls back to the other', async () => {
  const { google } = withAnswers({ body: rpcAnswer('Other', []) }, page('oCPfdb', [review(1)], null))
  const answer = await firstPage(google)
  assert.equal(answer.kind === 'ok' ? answer.source : answer.kind, 'oCPfdb')
})

const shuffled = Array.from({ length: 40 }, (_, index) => review((index * 17) % 40))

test('reviews ordered by relevance are a changed format', async () => {
  const unordered = ['UsvDTd', 'oCPfdb', 'oCPfdb'].map((rpcId) => page(rpcId, shuffled, 'x'))
  const { google, left } = withAnswers(...unordered)
  const answer = await firstPage(google)
  assert.match(answer.kind === 'changed' ? answer.detail : answer.kind, /not newest first/)
  assert.equal(left(), 0)
})

test('the second rpc has the reviews of all devices, and those of phones only when they are not newest first', async () => {
  const unreadable = { body: rpcAnswer('Other', []) }
  const phones = page('oCPfdb', [review(1)], 'next')
  const { google, requests } = withAnswers(unreadable, page('oCPfdb', shuffled, 'x'), phones)
  const answer = await firstPage(google)
  assert.ok(answer.kind === 'ok', answer.kind)
  assert.deepEqual([answer.source, answer.next], ['oCPfdb_phone', 'oCPfdb_phone:short:next'])
  assert.deepEqual(
    answer.earlierFailures?.map(({ source, kind }) => [source, kind]),
    [
      ['UsvDTd', 'changed'],
      ['oCPfdb', 'changed'],
    ],
  )
  const devices = requests.slice(1).map((one) => (callOf(one.body)[1] as [null, unknown[]])[1][4])
  assert.deepEqual(devices, [new Array(9).fill(null), [...new Array(8).fill(null), 2]])

  const later = withAnswers(page('oCPfdb', [review(0)], null))
  await later.google.reviewsPage({ appId, market: 'en', cursor: answer.next }, proceed, signal)
  assert.deepEqual((callOf(later.requests[0]?.body)[1] as [null, unknown[]])[1].slice(2), [
    [150, null, 'next'],
    null,
    devices[1],
  ])
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
  assert.equal(requests[0]?.bodyBytesMax, 8 * 1024 * 1024)
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

function withAnswers(...script: Script[]) {
  const scripted = scriptedEgress(...script)
  return { ...scripted, google: createGoogle({ egress: scripted.egress, playUrl: 'http://play.test/' }) }
}

function firstPage(google: ReturnType<typeof createGoogle>, market = 'en') {
  return google.reviewsPage({ appId, market, cursor: null }, proceed, signal)
}

async function ratingOf(google: ReturnType<typeof createGoogle>) {
  const answers = await google.ratings({ appIds: [appId], storefront: 'br' }, proceed, signal)
  const answer = answers.get(appId)
  assert.ok(answer)
  return answer
}

function page(rpcId: string, reviews: readonly WireReview[], token: string | null): Script {
  return { body: rpcAnswer(rpcId, reviewsPayload(reviews, token)) }
}

/** A review of this day; a higher number is newer. */
function review(day: number): WireReview {
  return {
    id: `id-${day}`,
    author: 'Mira Tal',
    stars: 4,
    title: null,
    body: 'Good',
    shownAt: new Date(Date.UTC(2026, 5, 1 + day)),
    version: null,
    edited: false,
  }
}

function callOf(body: string | Uint8Array | undefined): [string, unknown] {
  const calls = JSON.parse(new URLSearchParams(String(body)).get('f.req') ?? '') as [[[string, string]]]
  const [rpcId, request] = calls[0][0]
  return [rpcId, JSON.parse(request)]
}
