import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureStore, storeReview } from '../../../test/support/fixture-app-store.ts'
import { after, forwardFrom, ids, newest, now, walk } from '../../../test/support/fixture-walk.ts'

test('a walk stops at the first page without a new review', async () => {
  const store = fixtureStore()
  store.reviews = newest(12)
  const walked = await walk(store, ['r9', 'r8', 'r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1'])
  assert.deepEqual(ids(walked), ['r12', 'r11', 'r10', 'r9', 'r8', 'r7'])
  assert.deepEqual([walked.outcome, walked.incomplete, walked.pages], ['ok', false, 2])
})

test('one known review on a page does not end a walk, since edited ones move to the top', async () => {
  const store = fixtureStore()
  store.reviews = newest(6)
  const walked = await walk(store, ['r6', 'r5', 'r3', 'r2', 'r1'])
  assert.ok(ids(walked).includes('r4'))
})

test('a burst larger than a page is fetched completely', async () => {
  const store = fixtureStore()
  store.reviews = newest(30)
  const walked = await walk(store, ['r2', 'r1'])
  assert.equal(walked.reviews.length, 30)
  assert.equal(walked.incomplete, false)
})

test('after an incomplete walk known pages do not end the next', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const walked = await walk(store, ['r9', 'r8', 'r7', 'r3', 'r2', 'r1'], { walkIncomplete: true })
  assert.deepEqual(ids(walked).slice(3, 6), ['r6', 'r5', 'r4'])
  assert.equal(walked.incomplete, false)
})

test('a failure on a later page keeps the fetched reviews, and the walk is incomplete', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  store.pageAnswers.set(2, { kind: 'unknown', source: 'rss', detail: 'It was empty.', retryAfterMs: 5000 })
  const walked = await walk(store)
  assert.deepEqual(ids(walked), ['r9', 'r8', 'r7'])
  assert.deepEqual([walked.outcome, walked.incomplete, walked.retryAfterMs], ['unknown', true, 5000])
})

test('a failure on the first page returns no reviews', async () => {
  const store = fixtureStore()
  store.pageAnswers.set(1, { kind: 'changed', source: 'web', detail: 'No id.', raw: '{}' })
  const walked = await walk(store)
  assert.deepEqual([walked.outcome, walked.reviews.length, walked.raw], ['changed', 0, '{}'])
})

test('a trusted empty first page is empty, a later one the end', async () => {
  const store = fixtureStore()
  assert.equal((await walk(store)).outcome, 'empty')
  store.reviews = newest(6)
  store.pageAnswers.set(2, { kind: 'empty', source: 'fixture' })
  const walked = await walk(store)
  assert.deepEqual([walked.outcome, walked.incomplete, walked.reviews.length], ['ok', false, 3])
})

test('an empty first page does not complete an incomplete walk', async () => {
  const walked = await walk(fixtureStore(), [], { walkIncomplete: true })
  assert.deepEqual([walked.outcome, walked.incomplete], ['empty', true])
  assert.equal((await walk(fixtureStore())).incomplete, false)
})

test('a first poll of Google ends ten pages past the forward-looking time', async () => {
  const store = fixtureStore()
  const old = (at: number) => storeReview(`old${at}`, new Date(forwardFrom.getTime() - at * 60_000))
  store.reviews = [...newest(3), ...Array.from({ length: 300 }, (_, at) => old(at + 1))]
  const walked = await walk(store, [], { lastOkAt: null })
  assert.deepEqual([walked.pages, walked.incomplete], [12, false])
})

test('a first poll of Apple goes to the store’s end', async () => {
  const store = fixtureStore('apple')
  store.reviews = Array.from({ length: 30 }, (_, at) =>
    storeReview(`old${at}`, new Date(1_700_000_000_000 - at)),
  )
  assert.equal((await walk(store, [], { lastOkAt: null })).pages, 10)
})

test('a review that moves to the next page during the walk counts once', async () => {
  const store = fixtureStore()
  const [a, b, c, d, e] = newest(5)
  assert.ok(a && b && c && d && e)
  store.pageAnswers.set(1, { kind: 'ok', source: 'x', reviews: [a, b, c], next: '2' })
  store.pageAnswers.set(2, { kind: 'ok', source: 'x', reviews: [c, d, e], next: null })
  assert.deepEqual(ids(await walk(store)), ['r5', 'r4', 'r3', 'r2', 'r1'])
})

test('repeated pages end the walk', async () => {
  const store = fixtureStore()
  const reviews = newest(3)
  for (let page = 1; page <= 20; page += 1) {
    store.pageAnswers.set(page, { kind: 'ok', source: 'x', reviews, next: String(page + 1) })
  }
  const walked = await walk(store)
  assert.deepEqual([walked.pages, walked.incomplete], [4, true])
})

test('a page without reviews that has a next one is skipped', async () => {
  const store = fixtureStore()
  store.reviews = newest(6)
  store.pageAnswers.set(1, { kind: 'ok', source: 'x', reviews: [], next: '2' })
  assert.deepEqual(ids(await walk(store)), ['r3', 'r2', 'r1'])
})

test('a walk past its time limit keeps its reviews and is incomplete', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const walked = await walk(store, [], {}, { untilMs: now.getTime() })
  assert.deepEqual([walked.outcome, walked.pages, walked.incomplete], ['ok', 1, true])
})

test('a refused permit is distinguished from a failure of the store', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  let turns = 0
  const walked = await walk(store, [], {}, { pace: async () => ++turns <= 1 })
  assert.deepEqual([walked.refused, walked.incomplete, walked.reviews.length], [true, true, 3])
})

test('an unseen review marked as edited is dated by its first version', async () => {
  const store = fixtureStore()
  const published = new Date('2025-06-01T08:00:00Z')
  store.reviews = [
    storeReview('edited', after(5), { edited: true }),
    storeReview('new', after(4), { edited: false }),
  ]
  store.firstPublished.set('edited', published)
  const walked = await walk(store)
  assert.deepEqual(
    walked.reviews.map((one) => one.occurredAt),
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
  const walked = await walk(store, ['known'])
  assert.deepEqual(
    walked.reviews.map((one) => one.occurredAt),
    [after(5), after(4), shownBefore],
  )
  assert.deepEqual(store.requests, ['page 1', 'history undated'])
})

test('an edited review with a failed history request is left for the next poll', async () => {
  const store = fixtureStore()
  store.reviews = [storeReview('edited', after(5), { edited: true }), storeReview('new', after(4))]
  store.firstPublished.set('edited', { kind: 'unknown', source: 'history', detail: 'A null payload.' })
  const walked = await walk(store)
  assert.deepEqual(ids(walked), ['new'])
  assert.equal(walked.incomplete, true)
})

test('an unreadable history leaves the review out and does not lengthen the next walks', async () => {
  const store = fixtureStore()
  store.reviews = [storeReview('edited', after(5), { edited: true }), storeReview('new', after(4))]
  store.firstPublished.set('edited', { kind: 'changed', source: 'history', detail: 'No date.' })
  const walked = await walk(store)
  assert.deepEqual([ids(walked), walked.incomplete], [['new'], false])
})

test('a block during the request for a history ends the walk as blocked', async () => {
  const store = fixtureStore()
  store.reviews = [storeReview('edited', after(5), { edited: true }), ...newest(4)]
  store.firstPublished.set('edited', {
    kind: 'blocked',
    source: 'history',
    detail: 'HTTP 429',
    retryAfterMs: 9000,
  })
  const walked = await walk(store)
  assert.deepEqual(
    [walked.outcome, walked.pages, walked.incomplete, walked.retryAfterMs],
    ['blocked', 1, true, 9000],
  )
})

test('one poll requests at most twenty histories', async () => {
  const store = fixtureStore()
  store.pageSize = 40
  store.reviews = Array.from({ length: 30 }, (_, at) =>
    storeReview(`e${at}`, after(60 - at), { edited: true }),
  )
  const walked = await walk(store)
  assert.deepEqual([walked.reviews.length, walked.incomplete], [20, true])
})

test('a missing page leaves the walk incomplete, so that the next walk reads it', async () => {
  const store = fixtureStore()
  store.reviews = newest(12)
  store.pageAnswers.set(2, { kind: 'ok', source: 'fixture', reviews: [], next: '3', partial: true })
  const walked = await walk(store, ['r6', 'r5', 'r4', 'r3', 'r2', 'r1'])
  assert.deepEqual(ids(walked), ['r12', 'r11', 'r10', 'r6', 'r5', 'r4'])
  assert.deepEqual([walked.outcome, walked.incomplete], ['ok', true])
  assert.match(walked.detail ?? '', /missing/)

  store.pageAnswers.clear()
  const again = await walk(store, ['r12', 'r11', 'r10', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1'], {
    walkIncomplete: walked.incomplete,
  })
  assert.ok(ids(again).includes('r8'))
})

test('known reviews of a source that does not show the newest do not end the walk', async () => {
  const store = fixtureStore()
  const [r3, r2, r1] = newest(3)
  assert.ok(r3 && r2 && r1)
  store.pageAnswers.set(1, { kind: 'ok', source: 'page', reviews: [r3, r2, r1], next: '2', partial: true })
  store.pageAnswers.set(2, { kind: 'unknown', source: 'page', detail: 'Only the page answers.' })
  const walked = await walk(store, ['r3', 'r2', 'r1'])
  assert.deepEqual([walked.outcome, walked.incomplete, walked.pages], ['unknown', true, 2])
})

test('an unproven end leaves the walk incomplete and the poll ok', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  store.pageAnswers.set(2, { kind: 'ok', source: 'row', reviews: [], next: null, partial: true })
  const walked = await walk(store)
  assert.deepEqual(ids(walked), ['r9', 'r8', 'r7'])
  assert.deepEqual([walked.outcome, walked.incomplete], ['ok', true])
})
