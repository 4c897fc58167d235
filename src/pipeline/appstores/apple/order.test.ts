import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchPages } from '../../../../test/support/fixture-fetch.ts'
import {
  APP,
  addApp,
  addReviews,
  type SimulatedApple,
  startSimulatedApple,
} from '../../../../test/support/simulated-apple.ts'
import type { SimulatedAnswer } from '../../../simulate/answer.ts'
import { parseUserReviews } from './user-reviews-row.ts'

/** Sources that ignore the requested order, with the feed empty for every app. */

const never = new AbortController().signal
const REVIEWS = 90

/** The newest of these reviews has the highest number. */
const newestIds = (count: number, reviews = REVIEWS) =>
  Array.from({ length: count }, (_, index) => String(7_000_000_000 + reviews - index))

async function startWithoutFeed(
  unsorted: readonly string[],
  answer?: Parameters<typeof startSimulatedApple>[0],
): Promise<SimulatedApple> {
  const apple = await startSimulatedApple(answer)
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', REVIEWS)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' })
  for (const source of unsorted) apple.world.setFault({ store: 'apple', source }, { kind: 'unsorted' })
  return apple
}

function firstPage(apple: SimulatedApple) {
  return apple.store.reviewsPage({ appId: APP, market: 'us', cursor: null }, apple.pace, never)
}

test('a source that is not newest first is reported, and the next one in order serves', async () => {
  await using apple = await startWithoutFeed(['web'])
  const page = await firstPage(apple)
  assert.ok(page.kind === 'ok')
  assert.deepEqual([page.source, page.partial, page.next], ['row', undefined, 'row:90:0'])
  assert.deepEqual(
    page.reviews.map(({ reviewId }) => reviewId),
    newestIds(REVIEWS),
  )
  const reported = page.earlierFailures?.find(({ source }) => source === 'web')
  assert.equal(reported?.kind, 'changed')
  assert.match(reported?.detail ?? '', /not newest first/)
})

test('userReviewsRow is asked for another order when its first one is not newest first', async () => {
  await using apple = await startWithoutFeed(['web', 'row'])
  const page = await firstPage(apple)
  assert.ok(page.kind === 'ok')
  assert.deepEqual([page.source, page.partial, page.next], ['row_4', undefined, 'row_4:90:0'])
  assert.equal(page.reviews[0]?.reviewId, newestIds(1)[0])
  const urls = apple.world.requests('apple').flatMap(({ source, url }) => (source === 'row' ? [url] : []))
  assert.deepEqual(
    urls.map((url) => new URL(url, 'http://store.test').searchParams.get('sort')),
    ['0', '4'],
  )
  const last = await apple.store.reviewsPage(
    { appId: APP, market: 'us', cursor: page.next },
    apple.pace,
    never,
  )
  assert.equal(last.kind, 'empty')
  assert.deepEqual(apple.requestedSources().slice(-1), ['row'], 'paging stays with that order')
})

test('userReviewsRow is not asked twice when it is empty or in order', async () => {
  await using empty = await startWithoutFeed(['web'])
  empty.world.setFault({ store: 'apple', source: 'row' }, { kind: 'transient_empty' })
  await firstPage(empty)
  assert.equal(empty.requestedSources().filter((source) => source === 'row').length, 1)
})

test('a source that is not newest first is read to its end, and its other sources are not asked at each page', async () => {
  const refused: SimulatedAnswer = { status: 500, headers: {}, body: '' }
  await using apple = await startWithoutFeed(['web'], ({ url }) =>
    url.includes('userReviewsRow') ? refused : null,
  )
  // The newest reviews are on the last page. All others are known.
  const known = newestIds(REVIEWS).slice(3)
  const fetched = await fetchPages(apple.store, known, { store: 'apple', appId: APP, market: 'us' })
  const found = new Set(fetched.reviews.map(({ reviewId }) => reviewId))
  assert.deepEqual(
    newestIds(3).filter((id) => !found.has(id)),
    [],
  )
  assert.deepEqual([fetched.outcome, fetched.source, fetched.incomplete], ['ok', 'web', true])
  assert.match(fetched.detail ?? '', /not newest first/)
  assert.deepEqual(
    fetched.changedSources.map(({ source }) => source),
    ['web'],
  )
  const pages = Math.ceil(REVIEWS / 20)
  assert.equal(apple.requestedSources().filter((source) => source === 'web').length, pages)
  assert.equal(fetched.pages, pages)
})

test('a feed that is not newest first does not serve either', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', REVIEWS)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'unsorted' })
  const page = await firstPage(apple)
  assert.equal(page.kind === 'ok' ? page.source : page.kind, 'web')
})

test('a source that is not newest first is no comparison', async () => {
  await using apple = await startWithoutFeed(['web', 'row'])
  const query = { appId: APP, market: 'us', than: 'rss' }
  const other = await apple.store.otherReviewsPage(query, apple.pace, never)
  assert.equal(other.kind, 'changed')
})

test('the texts of userReviewsRow are unescaped once, each in one pass', () => {
  const row = {
    userReviewId: '7',
    rating: 4,
    date: '2026-09-01T00:00:00Z',
    title: 'It&#39;s &quot;fine&quot;',
    body: 'a &amp;lt; b &#x1F389; &#1114112; &unknown; &#39',
    name: 'A &amp; B',
    developerResponse: { body: 'Thanks &lt;3', modified: '2026-09-02T00:00:00Z' },
  }
  const page = parseUserReviews({ userReviewList: [row] })
  assert.ok(page.kind === 'parsed')
  const [review] = page.value.reviews
  assert.deepEqual(
    [review?.title, review?.body, review?.author, review?.publicReply?.text],
    ['It\'s "fine"', 'a &lt; b 🎉 &#1114112; &unknown; &#39', 'A & B', 'Thanks <3'],
  )
})
