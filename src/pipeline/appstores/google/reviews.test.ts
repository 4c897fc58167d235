import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proceed, type Script } from '../../../../test/support/scripted-egress.ts'
import {
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
import { rpcAnswer, type WireReview } from '../../../simulate/google/wire.ts'

/** Pages without reviews, without data and out of order, and what is requested instead. */

const shuffled = Array.from({ length: 40 }, (_, index) => review((index * 17) % 40))

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

test('a large page without data is requested again at the usual size, and one with fewer rows than requested does not count as full', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => review(150 - index))
  const large = { appId, market: 'en', cursor: 'UsvDTd:full:more', toTheEnd: true }
  const sizesOf = (requests: readonly { readonly body?: string | Uint8Array | undefined }[]) =>
    requests.map(({ body }) => JSON.stringify(callOf(body)).match(/\[(\d+),null,/)?.[1])

  const refused = withAnswers(noPayload, page('UsvDTd', rows, 'next'))
  const smaller = await refused.google.reviewsPage(large, proceed, signal)
  assert.deepEqual([smaller.kind, sizesOf(refused.requests)], ['ok', ['750', '150']])
  assert.equal(smaller.kind === 'ok' && smaller.next, 'UsvDTd:full:next')

  const ended = withAnswers(noPayload, noPayload)
  assert.equal((await ended.google.reviewsPage(large, proceed, signal)).kind, 'empty')

  const part = withAnswers(page('UsvDTd', rows, 'next'))
  const short = await part.google.reviewsPage(large, proceed, signal)
  assert.equal(short.kind === 'ok' && short.next, 'UsvDTd:short:next')
})

test('a poll that reads many pages asks for larger ones', async () => {
  const { google, requests } = withAnswers(
    page('UsvDTd', [review(2)], 'more'),
    page('UsvDTd', [review(1)], null),
  )
  const first = await firstPage(google)
  assert.ok(first.kind === 'ok')
  await google.reviewsPage({ appId, market: 'en', cursor: first.next, toTheEnd: true }, proceed, signal)
  const sizes = requests.map(({ body }) => JSON.stringify(callOf(body)).match(/\[(\d+),null,/)?.[1])
  assert.deepEqual(sizes, ['150', '750'])
})

test('a changed format of one rpc falls back to the other', async () => {
  const { google } = withAnswers({ body: rpcAnswer('Other', []) }, page('oCPfdb', [review(1)], null))
  const answer = await firstPage(google)
  assert.equal(answer.kind === 'ok' ? answer.source : answer.kind, 'oCPfdb')
})

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
