import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  APP,
  addApp,
  addReviews,
  type SimulatedApple,
  startSimulatedApple,
} from '../../../../test/support/simulated-apple.ts'
import type { SimulatedAnswer } from '../../../simulate/answer.ts'
import type { Fault } from '../../../simulate/fault.ts'
import type { ReviewsPage } from '../appstore.ts'

const never = new AbortController().signal

function page(apple: SimulatedApple, cursor: string | null = null, market = 'us'): Promise<ReviewsPage> {
  return apple.store.reviewsPage({ appId: APP, market, cursor }, apple.pace, never)
}

/** Reads all pages until the store's end or a failure. */
async function readAllPages(apple: SimulatedApple) {
  const ids: string[] = []
  const sources: string[] = []
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const answer: ReviewsPage = await page(apple, cursor)
    if (answer.kind !== 'ok')
      return { ids, sources, end: answer.kind, detail: 'detail' in answer ? answer.detail : '' }
    sources.push(answer.source)
    ids.push(...answer.reviews.map((review) => review.reviewId))
    cursor = answer.next
  }
  return { ids, sources, end: 'ok', detail: '' }
}

function feedOf(
  entry: readonly unknown[],
  pages: { readonly last: number; readonly next?: number },
): SimulatedAnswer {
  const link = Object.entries(pages).map(([rel, number]) => ({
    attributes: { rel, href: `https://itunes.example/us/rss/customerreviews/page=${number}/id=1/xml` },
  }))
  return { status: 200, headers: {}, body: JSON.stringify({ feed: { entry, link } }) }
}

function webElement(id: string) {
  return {
    id,
    attributes: { rating: 3, title: 'T', review: 'R', date: '2026-01-01T00:00:00Z', isEdited: false },
  }
}

const idsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => String(7_000_000_000 + count - index))

test('a page of the feed is newest first with every field', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 3)
  const answer = await page(apple)
  assert.ok(answer.kind === 'ok')
  assert.equal(answer.source, 'rss')
  assert.equal(answer.next, null)
  assert.deepEqual(answer.reviews[0], {
    reviewId: '7000000003',
    rating: 3,
    title: 'Title 2',
    body: 'Line one of 2 🎉\nand <two> & "more"',
    author: 'Author 2',
    appVersion: '1.2',
    shownAt: new Date('2026-07-01T12:00:00Z'),
    edited: null,
  })
  assert.deepEqual(apple.requestedSources(), ['rss'])
  assert.equal(apple.permits(), 1)
})

test('the only review of an app is read, although the feed shows it as an object', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 1)
  assert.deepEqual(await readAllPages(apple), { ids: idsOf(1), sources: ['rss'], end: 'ok', detail: '' })
})

test('paging returns every review once and ends with the last page', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 120)
  assert.deepEqual(await readAllPages(apple), {
    ids: idsOf(120),
    sources: ['rss', 'rss', 'rss'],
    end: 'ok',
    detail: '',
  })
  assert.equal(apple.permits(), 3)
})

test('paging makes one more request after a full last page', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 50)
  assert.deepEqual(await readAllPages(apple), { ids: idsOf(50), sources: ['rss'], end: 'empty', detail: '' })
})

test("paging ends at the feed's depth of 500 reviews", async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 620)
  const { ids, end } = await readAllPages(apple)
  assert.deepEqual(ids, idsOf(620).slice(0, 500))
  assert.equal(end, 'ok')
})

test("the page depth error is the store's end", async () => {
  await using apple = await startSimulatedApple((request) =>
    /page=[2-9]/.test(request.url)
      ? {
          status: 400,
          headers: { 'content-type': 'text/plain' },
          body: 'CustomerReviews RSS page depth is limited to 1',
        }
      : null,
  )
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 80)
  assert.equal((await readAllPages(apple)).end, 'empty')
})

test('an empty first page is requested again in another form', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 60)
  apple.world.setFault({ store: 'apple', source: 'rss', times: 1 }, { kind: 'transient_empty' })
  const result = await readAllPages(apple)
  assert.deepEqual(result.ids, idsOf(60))
  assert.deepEqual(result.sources, ['rss_xml', 'rss_xml'])
})

test('both forms of the feed have the same reviews', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 5)
  apple.world.addReview(
    { store: 'apple', appId: APP, market: 'us' },
    {
      id: '8',
      rating: 1,
      title: null,
      body: '&lt; ]]> </content>',
      author: null,
      version: null,
      publishedAt: new Date(0),
    },
  )
  const json = await page(apple)
  apple.world.setFault({ store: 'apple', source: 'rss', times: 1 }, { kind: 'empty_shell' })
  const xml = await page(apple)
  assert.ok(json.kind === 'ok' && xml.kind === 'ok')
  assert.equal(xml.source, 'rss_xml')
  assert.deepEqual(xml.reviews, json.reviews)
  assert.deepEqual(xml.reviews.at(-1), {
    reviewId: '8',
    rating: 1,
    title: null,
    body: '&lt; ]]> </content>',
    author: null,
    appVersion: null,
    shownAt: new Date(0),
    edited: null,
  })
})

test('the web store replaces a feed that is empty for every app, and serves all pages', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 45)
  apple.world.editReview(
    { store: 'apple', appId: APP, market: 'us', reviewId: '7000000001' },
    { body: 'Edited' },
    new Date('2026-07-02T00:00:00Z'),
  )
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' })
  const first = await page(apple)
  assert.ok(first.kind === 'ok')
  assert.deepEqual(
    first.reviews.slice(0, 2).map((review) => [review.reviewId, review.edited, review.appVersion]),
    [
      ['7000000001', true, null],
      ['7000000045', false, null],
    ],
  )
  const result = await readAllPages(apple)
  assert.deepEqual(result.sources, ['web', 'web', 'web'])
  assert.equal(result.ids.length, 45)
  assert.equal(new Set(result.ids).size, 45)
})

test('userReviewsRow is used when feed and web store fail', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 230)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' })
  apple.world.setFault({ store: 'apple', source: 'web' }, { kind: 'status', status: 429 })
  const result = await readAllPages(apple)
  assert.deepEqual(result.sources, ['row', 'row'])
  assert.deepEqual(result.ids, idsOf(230))
  assert.equal(result.end, 'empty')
})

test('an empty page after a full one of a source without a last page number ends paging as partial', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 400)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' })
  apple.world.setFault({ store: 'apple', source: 'web' }, { kind: 'status', status: 500 })
  apple.world.setFault({ store: 'apple', source: 'row' }, { kind: 'hole', page: 2 })
  const first = await page(apple)
  assert.ok(first.kind === 'ok' && first.next !== null)
  assert.equal(first.reviews.length, 200)
  assert.deepEqual(await page(apple, first.next), {
    kind: 'ok',
    source: 'row',
    reviews: [],
    next: null,
    partial: true,
  })
})

test('an empty page after one of userReviewsRow that is not full is an end that the next poll confirms', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 30)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' })
  apple.world.setFault({ store: 'apple', source: 'web' }, { kind: 'status', status: 500 })
  const first = await page(apple)
  assert.ok(first.kind === 'ok' && first.next !== null)
  assert.deepEqual(await page(apple, first.next), { kind: 'empty', source: 'row', unconfirmed: true })
})

test('userReviewsRow that takes over from the feed begins at a whole page, so that a full page is known', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 230)
  const first = await page(apple)
  assert.ok(first.kind === 'ok' && first.next !== null)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'status', status: 500 })
  apple.world.setFault({ store: 'apple', source: 'web' }, { kind: 'status', status: 500 })
  const second = await page(apple, first.next)
  assert.ok(second.kind === 'ok' && second.next !== null)
  assert.deepEqual([second.source, second.reviews.length], ['row', 200])
  apple.world.setFault({ store: 'apple', source: 'row' }, { kind: 'hole', page: 2 })
  const third = await page(apple, second.next)
  assert.ok(third.kind === 'ok' && third.partial === true, JSON.stringify(third))
})

test("the app's page is the last source, and its reviews are always partial", async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 30)
  for (const source of ['rss', 'web', 'row']) {
    apple.world.setFault({ store: 'apple', source }, { kind: 'status', status: 500 })
  }
  const result = await readAllPages(apple)
  assert.deepEqual(result.sources, ['page'])
  assert.equal(result.ids.length, 10)
  assert.equal(result.end, 'unknown')
  assert.deepEqual(apple.requestedSources(), ['rss', 'rss', 'web', 'row', 'page'])
})

test('a page that disappears while paging is read from the web store, with some overlap', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 120)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'hole', page: 2 })
  const result = await readAllPages(apple)
  assert.deepEqual(new Set(result.ids), new Set(idsOf(120)))
  assert.deepEqual(result.sources.slice(0, 2), ['rss', 'web'])
})

test('a page missing in every source is skipped as a page without reviews', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 120)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'hole', page: 2 })
  for (const source of ['web', 'row']) {
    apple.world.setFault({ store: 'apple', source }, { kind: 'status', status: 500 })
  }
  const first = await page(apple)
  assert.ok(first.kind === 'ok' && first.next !== null)
  const missing = await page(apple, first.next)
  assert.ok(missing.kind === 'ok' && missing.next !== null)
  assert.deepEqual(missing.reviews, [])
  const last = await page(apple, missing.next)
  assert.ok(last.kind === 'ok')
  assert.deepEqual(
    last.reviews.map((review) => review.reviewId),
    idsOf(120).slice(100),
  )
})

async function readPastMissingPages(pages: readonly number[], fault: Fault) {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 400)
  for (const page of pages) apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'hole', page })
  for (const source of ['web', 'row']) apple.world.setFault({ store: 'apple', source }, fault)
  return await readAllPages(apple)
}

test('paging skips two missing pages in a row and ends at the third', async () => {
  const refused = { kind: 'status', status: 500 } as const
  assert.deepEqual((await readPastMissingPages([2, 3, 5, 6], refused)).end, 'empty')
  const three = await readPastMissingPages([2, 3, 4], refused)
  assert.deepEqual([three.sources, three.end], [['rss', 'rss', 'rss'], 'unknown'])
  assert.doesNotMatch(three.detail, /page of the app/)
})

test('paging does not skip a missing page when its host blocks requests', async () => {
  const blocked = await readPastMissingPages([2], { kind: 'status', status: 429 })
  assert.deepEqual([blocked.sources, blocked.end], [['rss'], 'blocked'])
})

test('a source that takes over starts 20 reviews earlier, in case its index lags', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 120)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'hole', page: 2 })
  const first = await page(apple)
  assert.ok(first.kind === 'ok')
  const second = await page(apple, first.next)
  assert.ok(second.kind === 'ok')
  assert.equal(second.reviews[0]?.reviewId, idsOf(120)[30])
})

test('the end of the feed counts only when its other form agrees', async () => {
  await using apple = await startSimulatedApple((request) =>
    request.url.includes('page=2/') && request.url.endsWith('/json') ? feedOf([], { last: 1 }) : null,
  )
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 80)
  assert.deepEqual((await readAllPages(apple)).ids, idsOf(80))
})

for (const [hint, pages] of [
  ['its last page', { last: 2, next: 1 }],
  ['its next page', { last: 1, next: 2 }],
] as const) {
  test(`paging continues after a page that is not full when the feed names another as ${hint}`, async () => {
    const entry = {
      id: { label: '5' },
      updated: { label: '2026-01-01T00:00:00-07:00' },
      'im:rating': { label: '1' },
      content: { label: '' },
    }
    await using apple = await startSimulatedApple(() => feedOf([entry], pages))
    const answer = await page(apple)
    assert.ok(answer.kind === 'ok')
    assert.equal(answer.next, 'rss:50:0')
  })
}

test('offsets of the web store that jump, repeat or lead to an empty page lose no review', async () => {
  for (const jump of [0, 500]) {
    await using apple = await startSimulatedApple((request) => {
      const offset = Number(/offset=(\d+)/.exec(request.url)?.[1] ?? -1)
      if (!request.url.includes('/api/apps/')) return { status: 500, headers: {}, body: '' }
      const data = offset === 20 ? [] : [webElement(String(offset + 1))]
      const next = offset < 60 ? { next: `/v1/catalog/us/apps/1/reviews?offset=${offset + jump}` } : {}
      return { status: 200, headers: {}, body: JSON.stringify({ data, ...next }) }
    })
    const result = await readAllPages(apple)
    assert.deepEqual([result.ids, result.end], [['1', '41', '61'], 'ok'])
  }
})

test('an invalid cursor throws', async () => {
  await using apple = await startSimulatedApple()
  await assert.rejects(page(apple, 'rss:x'), /Invalid cursor/)
})
