import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureStore, storeReview } from '../../../test/support/fixture-app-store.ts'
import { after, fetchPages, forwardFrom, ids, newest, now } from '../../../test/support/fixture-fetch.ts'
import { scriptedEgress } from '../../../test/support/scripted-egress.ts'
import { detailsPage, rpcAnswer } from '../../simulate/google/wire.ts'
import { createGoogle } from '../appstores/google/google.ts'

test('paging stops at the first page without a new review', async () => {
  const store = fixtureStore()
  store.reviews = newest(12)
  const fetched = await fetchPages(store, ['r9', 'r8', 'r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1'])
  assert.deepEqual(ids(fetched), ['r12', 'r11', 'r10', 'r9', 'r8', 'r7'])
  assert.deepEqual([fetched.outcome, fetched.incomplete, fetched.pages], ['ok', false, 2])
})

test('one known review on a page does not end paging, since edited reviews move to the top', async () => {
  const store = fixtureStore()
  store.reviews = newest(6)
  const fetched = await fetchPages(store, ['r6', 'r5', 'r3', 'r2', 'r1'])
  assert.ok(ids(fetched).includes('r4'))
})

test('a burst larger than a page is fetched completely', async () => {
  const store = fixtureStore()
  store.reviews = newest(30)
  const fetched = await fetchPages(store, ['r2', 'r1'])
  assert.equal(fetched.reviews.length, 30)
  assert.equal(fetched.incomplete, false)
})

test('after an incomplete poll, known pages do not end the next one', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const fetched = await fetchPages(store, ['r9', 'r8', 'r7', 'r3', 'r2', 'r1'], { pagingIncomplete: true })
  assert.deepEqual(ids(fetched).slice(3, 6), ['r6', 'r5', 'r4'])
  assert.equal(fetched.incomplete, false)
})

test('a failure on a later page keeps the fetched reviews, and the poll is incomplete', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  store.pageAnswers.set(2, { kind: 'unknown', source: 'rss', detail: 'It was empty.', retryAfterMs: 5000 })
  const fetched = await fetchPages(store)
  assert.deepEqual(ids(fetched), ['r9', 'r8', 'r7'])
  assert.deepEqual([fetched.outcome, fetched.incomplete, fetched.retryAfterMs], ['unknown', true, 5000])
})

test('a failure on the first page returns no reviews', async () => {
  const store = fixtureStore()
  store.pageAnswers.set(1, { kind: 'changed', source: 'web', detail: 'No id.', raw: '{}' })
  const fetched = await fetchPages(store)
  assert.deepEqual([fetched.outcome, fetched.reviews.length, fetched.raw], ['changed', 0, '{}'])
})

test('a confirmed empty page is empty as the first page and the end as a later page', async () => {
  const store = fixtureStore()
  assert.equal((await fetchPages(store)).outcome, 'empty')
  store.reviews = newest(6)
  store.pageAnswers.set(2, { kind: 'empty', source: 'fixture' })
  const fetched = await fetchPages(store)
  assert.deepEqual([fetched.outcome, fetched.incomplete, fetched.reviews.length], ['ok', false, 3])
})

test('an end that may be throttling is confirmed by the next poll', async () => {
  const store = fixtureStore()
  store.reviews = newest(6)
  store.pageAnswers.set(2, { kind: 'empty', source: 'fixture', unconfirmed: true })
  const first = await fetchPages(store)
  assert.deepEqual([first.outcome, first.incomplete, first.pages], ['ok', true, 2])
  const second = await fetchPages(store, ids(first), { pagingIncomplete: first.incomplete })
  assert.deepEqual([second.outcome, second.incomplete, second.pages], ['ok', false, 2])
})

test('an empty first page does not complete an incomplete poll', async () => {
  const fetched = await fetchPages(fixtureStore(), [], { pagingIncomplete: true })
  assert.deepEqual([fetched.outcome, fetched.incomplete], ['empty', true])
  assert.equal((await fetchPages(fixtureStore())).incomplete, false)
})

test('the first poll of a Google feed ends after 1,500 reviews older than the forward-looking time', async () => {
  const store = fixtureStore()
  const old = (at: number) => storeReview(`old${at}`, new Date(forwardFrom.getTime() - at * 60_000))
  store.reviews = [...newest(3), ...Array.from({ length: 1_600 }, (_, at) => old(at + 1))]
  const fetched = await fetchPages(store, [], { lastOkAt: null })
  assert.deepEqual([fetched.pages, fetched.incomplete], [501, false])
})

test('the first poll of an Apple feed reads to the store’s end', async () => {
  const store = fixtureStore('apple')
  store.reviews = Array.from({ length: 30 }, (_, at) =>
    storeReview(`old${at}`, new Date(1_700_000_000_000 - at)),
  )
  assert.equal((await fetchPages(store, [], { lastOkAt: null })).pages, 10)
})

test('a review that moves to the next page while paging counts once', async () => {
  const store = fixtureStore()
  const [a, b, c, d, e] = newest(5)
  assert.ok(a && b && c && d && e)
  store.pageAnswers.set(1, { kind: 'ok', source: 'x', reviews: [a, b, c], next: '2' })
  store.pageAnswers.set(2, { kind: 'ok', source: 'x', reviews: [c, d, e], next: null })
  assert.deepEqual(ids(await fetchPages(store)), ['r5', 'r4', 'r3', 'r2', 'r1'])
})

test('repeated pages end paging', async () => {
  const store = fixtureStore()
  const reviews = newest(3)
  for (let page = 1; page <= 20; page += 1) {
    store.pageAnswers.set(page, { kind: 'ok', source: 'x', reviews, next: String(page + 1) })
  }
  const fetched = await fetchPages(store)
  assert.deepEqual([fetched.pages, fetched.incomplete], [4, true])
})

test('a page without reviews is skipped when it has a next page', async () => {
  const store = fixtureStore()
  store.reviews = newest(6)
  store.pageAnswers.set(1, { kind: 'ok', source: 'x', reviews: [], next: '2' })
  assert.deepEqual(ids(await fetchPages(store)), ['r3', 'r2', 'r1'])
})

test('a poll past its time limit keeps its reviews and is incomplete', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const fetched = await fetchPages(store, [], {}, { untilMs: now.getTime() })
  assert.deepEqual([fetched.outcome, fetched.pages, fetched.incomplete], ['ok', 1, true])
})

test('a denied permit is not a failure of the store', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  let permits = 0
  const fetched = await fetchPages(store, [], {}, { pace: async () => ++permits <= 1 })
  assert.deepEqual([fetched.refused, fetched.incomplete, fetched.reviews.length], [true, true, 3])
})

test('an unseen review marked as edited is dated by its first version', async () => {
  const store = fixtureStore()
  const published = new Date('2025-06-01T08:00:00Z')
  store.reviews = [
    storeReview('edited', after(5), { edited: true }),
    storeReview('new', after(4), { edited: false }),
  ]
  store.firstPublished.set('edited', published)
  const fetched = await fetchPages(store)
  assert.deepEqual(
    fetched.reviews.map((one) => one.occurredAt),
    [published, after(4)],
  )
})

test('an edited review keeps the shown date when the store has no history, or when no hook could match', async () => {
  const store = fixtureStore()
  const shownBefore = new Date(forwardFrom.getTime() - 1000)
  store.reviews = [
    storeReview('undated', after(5), { edited: true }),
    storeReview('known', after(4), { edited: true }),
    storeReview('old', shownBefore, { edited: true }),
  ]
  const fetched = await fetchPages(store, ['known'])
  assert.deepEqual(
    fetched.reviews.map((one) => one.occurredAt),
    [after(5), after(4), shownBefore],
  )
  assert.deepEqual(store.requests, ['page 1', 'history undated'])
})

test('an edited review with a failed history request is dated by the next poll', async () => {
  const store = fixtureStore()
  store.reviews = [storeReview('edited', after(5), { edited: true }), storeReview('new', after(4))]
  store.firstPublished.set('edited', { kind: 'unknown', source: 'history', detail: 'A null payload.' })
  const fetched = await fetchPages(store)
  assert.deepEqual(ids(fetched), ['new'])
  assert.equal(fetched.incomplete, true)
})

test('an edited review with an unreadable history is left out without making the poll incomplete', async () => {
  const store = fixtureStore()
  store.reviews = [storeReview('edited', after(5), { edited: true }), storeReview('new', after(4))]
  store.firstPublished.set('edited', { kind: 'changed', source: 'history', detail: 'No date.' })
  const fetched = await fetchPages(store)
  assert.deepEqual([ids(fetched), fetched.incomplete], [['new'], false])
})

test('a block during a history request ends the poll as blocked', async () => {
  const store = fixtureStore()
  store.reviews = [storeReview('edited', after(5), { edited: true }), ...newest(4)]
  store.firstPublished.set('edited', {
    kind: 'blocked',
    source: 'history',
    detail: 'HTTP 429',
    retryAfterMs: 9000,
  })
  const fetched = await fetchPages(store)
  assert.deepEqual(
    [fetched.outcome, fetched.pages, fetched.incomplete, fetched.retryAfterMs],
    ['blocked', 1, true, 9000],
  )
})

test('one poll requests at most twenty histories', async () => {
  const store = fixtureStore()
  store.pageSize = 40
  store.reviews = Array.from({ length: 30 }, (_, at) =>
    storeReview(`e${at}`, after(60 - at), { edited: true }),
  )
  const fetched = await fetchPages(store)
  assert.deepEqual([fetched.reviews.length, fetched.incomplete], [20, true])
})

test('a missing page leaves the poll incomplete, so that the next poll reads it', async () => {
  const store = fixtureStore()
  store.reviews = newest(12)
  store.pageAnswers.set(2, { kind: 'ok', source: 'fixture', reviews: [], next: '3', partial: true })
  const fetched = await fetchPages(store, ['r6', 'r5', 'r4', 'r3', 'r2', 'r1'])
  assert.deepEqual(ids(fetched), ['r12', 'r11', 'r10', 'r6', 'r5', 'r4'])
  assert.deepEqual([fetched.outcome, fetched.incomplete], ['ok', true])
  assert.match(fetched.detail ?? '', /missing/)

  store.pageAnswers.clear()
  const again = await fetchPages(store, ['r12', 'r11', 'r10', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1'], {
    pagingIncomplete: fetched.incomplete,
  })
  assert.ok(ids(again).includes('r8'))
})

test('known reviews of a source that does not show the newest reviews do not end paging', async () => {
  const store = fixtureStore()
  const [r3, r2, r1] = newest(3)
  assert.ok(r3 && r2 && r1)
  store.pageAnswers.set(1, { kind: 'ok', source: 'page', reviews: [r3, r2, r1], next: '2', partial: true })
  store.pageAnswers.set(2, { kind: 'unknown', source: 'page', detail: 'Only the page answers.' })
  const fetched = await fetchPages(store, ['r3', 'r2', 'r1'])
  assert.deepEqual([fetched.outcome, fetched.incomplete, fetched.pages], ['unknown', true, 2])
})

test('an unconfirmed end leaves the poll incomplete and ok', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  store.pageAnswers.set(2, { kind: 'ok', source: 'row', reviews: [], next: null, partial: true })
  const fetched = await fetchPages(store)
  assert.deepEqual(ids(fetched), ['r9', 'r8', 'r7'])
  assert.deepEqual([fetched.outcome, fetched.incomplete], ['ok', true])
})

test('a Google app that is sold in one country is looked for where it is watched', async () => {
  const { egress, requests } = scriptedEgress(
    { body: rpcAnswer('UsvDTd', []) },
    { status: 404 },
    { body: detailsPage(sampleApp) },
  )
  const google = createGoogle({ egress, playUrl: 'http://play.test' })
  const { outcome } = await fetchPages(
    google,
    [],
    { appId: sampleApp.appId },
    { watched: ['ie', 'in', 'mx'] },
  )
  const countries = requests.slice(1).map(({ url }) => new URL(url).searchParams.get('gl'))
  assert.deepEqual([outcome, countries], ['empty', ['ie', 'in']])
})

const sampleApp = {
  appId: 'com.example.atlas',
  name: 'Atlas',
  developer: 'Example Works',
  iconUrl: null,
  rating: null,
}
