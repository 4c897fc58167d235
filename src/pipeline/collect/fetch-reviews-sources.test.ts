import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FixtureStore, fixtureStore, storeReview } from '../../../test/support/fixture-app-store.ts'
import { after, fetchPages, forwardFrom, ids, newest, now } from '../../../test/support/fixture-fetch.ts'
import { NO_SOURCES } from '../../../test/support/no-sources.ts'
import { hashOf } from '../../model/canonical.ts'
import type { FeedSources } from '../../model/feed.ts'
import type { MalformedRow } from '../../model/malformed-row.ts'
import type { KnownMalformedRow, LeasedFeed } from '../../storage/port/feeds.ts'

const malformedRow = (rowKey: string, raw = rowKey): MalformedRow => ({
  rowKey,
  reason: 'no stars',
  raw,
  rawHash: hashOf(['row', raw]),
})
const knownMalformed = (rowKey: string, checkedAt: Date = now): KnownMalformedRow => ({
  rowKey,
  rawHash: malformedRow(rowKey).rawHash,
  checkedAt,
})
/** Replaces a page of the fixture with one that has malformed rows. */
function page(
  store: FixtureStore,
  number: number,
  ids: readonly string[],
  malformed: readonly MalformedRow[],
): void {
  const reviews = store.reviews.filter((one) => ids.includes(one.reviewId))
  store.pageAnswers.set(number, {
    kind: 'ok',
    source: 'fixture',
    reviews,
    malformed,
    next: String(number + 1),
  })
}

test('a page with a new malformed row does not end paging', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  page(store, 1, ['r9', 'r8'], [malformedRow('malformed')])
  const known = ['r9', 'r8', 'r6', 'r5', 'r4']
  const first = await fetchPages(store, known)
  assert.deepEqual(
    [first.pages, first.malformedRows.found().length, first.malformedRows.changed().length],
    [2, 1, 1],
  )
  const second = await fetchPages(store, known, {}, { malformedRows: [knownMalformed('malformed')] })
  assert.deepEqual(
    [second.pages, second.malformedRows.found().length, second.malformedRows.changed().length],
    [1, 1, 0],
  )
  assert.equal(second.searchedAll, true)
  assert.equal(second.detail, '1 row could not be read.')
})

test('a malformed row with a new raw form is changed and does not continue paging', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  page(store, 1, ['r9', 'r8'], [malformedRow('malformed', 'another form')])
  const fetched = await fetchPages(store, ['r9', 'r8'], {}, { malformedRows: [knownMalformed('malformed')] })
  assert.deepEqual([fetched.pages, fetched.malformedRows.changed().length], [1, 1])
})

test('a row that becomes valid leaves the quarantine', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const fetched = await fetchPages(
    store,
    ['r9', 'r7', 'r6', 'r5', 'r4'],
    {},
    { malformedRows: [knownMalformed('r8')] },
  )
  assert.ok(ids(fetched).includes('r8'))
  assert.deepEqual(fetched.malformedRows.released(), ['r8'])
})

test('once a day a poll reads on to the quarantined rows of its feed', async () => {
  const store = fixtureStore()
  store.reviews = newest(12)
  page(store, 3, ['r6', 'r5'], [malformedRow('malformed')])
  const known = store.reviews.map((one) => one.reviewId)
  const soon = await fetchPages(store, known, {}, { malformedRows: [knownMalformed('malformed')] })
  assert.deepEqual([soon.pages, soon.searchedAll], [1, false])
  const dayOld = new Date(now.getTime() - 24 * 3_600_000)
  const later = await fetchPages(store, known, {}, { malformedRows: [knownMalformed('malformed', dayOld)] })
  assert.deepEqual([later.pages, later.searchedAll, later.incomplete], [3, true, false])
  const gone = await fetchPages(store, known, {}, { malformedRows: [knownMalformed('gone', dayOld)] })
  assert.deepEqual([gone.pages, gone.searchedAll], [4, true], 'it is not searched again within a day')
})

const remembered = (change: Partial<FeedSources>): Partial<LeasedFeed> => ({
  sources: { ...NO_SOURCES, newestShownAt: after(9), ...change },
})

test('the fallback is requested first, and the usual order again when a probe is due', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const fallback = (probedAt: Date) => ({ source: 'other', since: forwardFrom, reason: 'empty', probedAt })
  await fetchPages(store, ['r9', 'r8', 'r7'], remembered({ fallback: fallback(now) }))
  assert.deepEqual(store.requests, ['page 1 from other'])
  const probed = await fetchPages(store, ['r9', 'r8', 'r7'], remembered({ fallback: fallback(forwardFrom) }))
  assert.deepEqual(store.requests.slice(1), ['page 1'])
  assert.equal(probed.sources.fallback, null, 'the primary source serves again')
})

test('when the newest review is older than before, a comparison with another source decides', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const known = newest(9).map((one) => one.reviewId)
  const feed = remembered({ newestShownAt: after(9 + 180) })
  const suspected = await fetchPages(store, known, feed)
  assert.deepEqual(store.requests, ['page 1', 'other than fixture'])
  assert.deepEqual(suspected.sources.frozen, { source: 'fixture', since: now, reason: 'older_than_known' })

  store.otherPage = { kind: 'ok', source: 'other', reviews: newest(9), next: null }
  const agreed = await fetchPages(store, known, feed)
  assert.equal(agreed.sources.frozen, null)
  assert.deepEqual(agreed.sources.newestShownAt, after(9), 'the newest review was taken down')

  store.otherPage = { kind: 'ok', source: 'other', reviews: newest(189), next: null }
  const frozen = await fetchPages(store, known, feed)
  assert.deepEqual(frozen.sources.frozen, { source: 'fixture', since: now, reason: 'other_source_newer' })
  assert.equal(frozen.sources.fallback?.source, 'other')
  assert.equal(frozen.reviews.length, 189, 'the newer reviews are delivered')
  assert.equal(frozen.outcome, 'ok')
})

test('sources are not compared at every poll', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const frozen = { source: 'fixture', since: forwardFrom, reason: 'older_than_known' } as const
  const feed = remembered({ newestShownAt: after(9 + 180), frozen, lastComparedAt: now })
  const fetched = await fetchPages(store, ['r9', 'r8', 'r7'], feed)
  assert.deepEqual(store.requests, ['page 1'])
  assert.deepEqual(fetched.sources.frozen, frozen)
})

test('a source that shows newer reviews again is not frozen', async () => {
  const store = fixtureStore()
  store.reviews = newest(9)
  const frozen = { source: 'fixture', since: forwardFrom, reason: 'ratings_move' } as const
  const fetched = await fetchPages(store, ['r8', 'r7'], remembered({ newestShownAt: after(8), frozen }))
  assert.equal(fetched.sources.frozen, null)
  assert.deepEqual(fetched.sources.newestShownAt, after(9))
})

/** Twelve reviews, one per minute, the newest three days ago: a pause. */
function pausedStore() {
  const store = fixtureStore()
  const old = (n: number) => new Date(now.getTime() - 72 * 3_600_000 - n * 60_000)
  store.reviews = Array.from({ length: 12 }, (_, n) => storeReview(`r${n}`, old(n)))
  store.pageSize = 12
  return { store, known: store.reviews.map((one) => one.reviewId), feed: { newestShownAt: old(0) } }
}

test('a feed without new reviews may be frozen while its ratings increase, even if another source agrees', async () => {
  const { store, known, feed } = pausedStore()
  store.otherPage = { kind: 'ok', source: 'other', reviews: store.reviews, next: null }
  const fetched = await fetchPages(store, known, remembered(feed), { ratingsGrowth: 20 })
  assert.deepEqual(fetched.sources.frozen, { source: 'fixture', since: now, reason: 'ratings_move' })
  assert.equal(fetched.outcome, 'ok', 'a suspicion is not a failure')
})

for (const [ratings, growth] of [
  ['are not polled', {}],
  ['hardly increase', { ratingsGrowth: 19 }],
] as const) {
  test(`a feed without new reviews is compared every six hours and raises no alarm alone, if its ratings ${ratings}`, async () => {
    const { store, known, feed } = pausedStore()
    const poll = (sources: Partial<FeedSources>) => fetchPages(store, known, remembered(sources), growth)
    const unanswered = await poll(feed)
    assert.deepEqual(store.requests, ['page 1', 'other than fixture'])
    assert.deepEqual([unanswered.sources.frozen, unanswered.sources.lastComparedAt], [null, now])

    store.otherPage = { kind: 'ok', source: 'other', reviews: store.reviews, next: null }
    assert.equal((await poll(feed)).sources.frozen, null, 'both sources agree')

    store.otherPage = { kind: 'ok', source: 'other', reviews: newest(9), next: null }
    const frozen = await poll(feed)
    assert.deepEqual(
      [frozen.sources.frozen?.reason, frozen.sources.fallback?.source],
      ['other_source_newer', 'other'],
    )
    const before = store.requests.length
    const soon = await poll({ ...feed, lastComparedAt: new Date(now.getTime() - 5 * 3_600_000) })
    assert.deepEqual([store.requests.slice(before), soon.sources.frozen], [['page 1'], null])
  })
}
