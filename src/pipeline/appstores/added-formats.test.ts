import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proceed } from '../../../test/support/scripted-egress.ts'
import {
  appId,
  callOf,
  firstPage,
  page,
  review,
  signal,
  withFormats,
} from '../../../test/support/scripted-google.ts'
import { APP, addApp, addReviews, startSimulatedApple } from '../../../test/support/simulated-apple.ts'
import { handleApple } from '../../simulate/apple/apple.ts'
import { rpcAnswer } from '../../simulate/google/wire.ts'
import { addedFormats, addedRequests } from './added-formats.ts'
import { parsePageReviews } from './apple/app-page.ts'
import { createFeedSpellings, feedPath } from './apple/feed-spellings.ts'
import { FEED_SPELLINGS } from './apple/known-formats.ts'
import { readRows } from './google/review-rows.ts'

const ADDRESS = '/feed/{id}/{form}?cc={storefront}&p={page}'
const row = (at: number, stars: unknown) =>
  Object.assign(Array(25).fill(null), { 0: 'id', 4: 'Text', 5: [1_760_000_000, 0], [at]: stars })

test('an added position is used only when the built-in ones do not fit', () => {
  const places = [{ stars: [20] }, { stars: [21] }]
  const starsOf = (rows: unknown[]) => {
    const page = readRows([rows, [null, null]], places)
    return page.kind === 'rows' ? page.reviews.map(({ rating }) => rating) : page.reason
  }
  assert.deepEqual(starsOf([row(2, 4).with(20, 1)]), [4])
  assert.deepEqual(starsOf([row(20, 3).with(21, 1)]), [3])
  assert.deepEqual(starsOf([row(21, 2)]), [2])
  assert.match(String(starsOf([row(22, 2)])), /no stars from 1 to 5 at \[2\]/)
})

test('an added address is asked after the built-in ones, and kept once it worked', () => {
  const spellings = createFeedSpellings([...FEED_SPELLINGS, ADDRESS])
  const listing = { appId: '7', storefront: 'de', position: 50 }
  for (const { length } of FEED_SPELLINGS) spellings.answered(listing, spellings.next(listing), length === 0)
  const added = spellings.next(listing)
  assert.match(feedPath(listing, 'json', added, spellings.all), /^\/feed\/7\/json\?cc=de&p=2&r=[0-9a-f]{12}$/)
  spellings.answered(listing, added, true)
  assert.equal(spellings.next(listing), added)
})

test('an added order of userReviewsRow is asked when the ones before it are not newest first', async () => {
  const sortsAs: Record<string, string> = { 'sort=4': 'sort=0', 'sort=7': 'sort=4' }
  await using apple = await startSimulatedApple(
    (request) =>
      handleApple(apple.world, {
        ...request,
        url: request.url.replace(/sort=[47]/, (sort) => sortsAs[sort] ?? sort),
      }),
    { row_sorts: [4, 7] },
  )
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 30)
  apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' })
  apple.world.setFault({ store: 'apple', source: 'web' }, { kind: 'status', status: 500 })
  apple.world.setFault({ store: 'apple', source: 'row' }, { kind: 'unsorted' })
  const query = { appId: APP, market: 'us', cursor: null }
  const page = await apple.store.reviewsPage(query, apple.pace, signal)
  assert.ok(page.kind === 'ok')
  assert.deepEqual([page.source, page.partial, page.reviews.length], ['row_7', undefined, 30])
  assert.deepEqual(apple.store.reviewSources, ['rss', 'rss_xml', 'web', 'row', 'row_4', 'row_7', 'page'])
})

test('an added kind proves that a page of an app without reviews has the known format', () => {
  const page = JSON.stringify({ data: [{ $kind: 'NewKind' }] })
  assert.equal(parsePageReviews(page).kind, 'changed')
  assert.equal(parsePageReviews(page, new Set(['NewKind'])).kind, 'parsed')
})

test('an added call is asked after the built-in ones, and paging stays with it', async () => {
  const added = { rpc_id: 'Xy12z', request: { app: ['{app_id}', '{rows}'], after: '{token}' } }
  const broken = ['UsvDTd', 'oCPfdb', 'oCPfdb'].map((rpcId) => ({ body: rpcAnswer(rpcId, 'new') }))
  const answers = [page('Xy12z', [review(2)], 'more'), page('Xy12z', [review(1)], null)]
  const { google, requests } = withFormats({ review_requests: [added] }, ...broken, ...answers)
  const first = await firstPage(google)
  assert.ok(first.kind === 'ok' && first.next !== null)
  assert.match(first.source, /^Xy12z_[0-9a-f]{8}$/)
  const query = { appId, market: 'en', cursor: first.next }
  assert.equal((await google.reviewsPage(query, proceed, signal)).kind, 'ok')
  assert.deepEqual(
    requests.slice(-2).map(({ body }) => callOf(body)),
    [null, 'more'].map((after) => ['Xy12z', { app: [appId, 150], after }]),
  )
})

test('the name of an added call does not depend on its place in the file', () => {
  const calls = ['Xy12z', 'Xy12z', 'Ab3'].map((rpc_id, index) => ({
    rpc_id,
    request: ['{app_id}', '{token}', index],
  }))
  const names = (added: typeof calls) => addedRequests(added).map(({ source }) => source)
  assert.deepEqual(names(calls.toReversed()), names(calls).toReversed())
  assert.equal(new Set(names(calls)).size, 3)
})

test('a file of formats has known names, places and positions only', () => {
  const allowed = {
    apple: { feed_addresses: [ADDRESS], row_sorts: [7], page_kinds: ['NewKind'] },
    google: {
      review_requests: [{ rpc_id: 'Xy12z', request: ['{app_id}', '{token}'] }],
      review_rows: [{ stars: [20], reply: ['7', 0] }],
      app_data: [{ rating: [52] }],
    },
  }
  assert.deepEqual(addedFormats.parse(allowed), allowed)
  for (const wrong of [
    { amazon: {} },
    { apple: { feed_addresses: ['https://example.com/{id}/{form}'] } },
    { apple: { feed_addresses: ['/{id}'] } },
    { apple: { feed_addresses: ['/{id}/{form}/{secret}'] } },
    { apple: { feed_addresses: ['/@example.com/{id}/{form}'] } },
    { apple: { row_sorts: ['4'] } },
    { apple: { page_kinds: ['a b'] } },
    { google: { review_requests: [{ rpc_id: 'Xy12z', request: ['{app_id}'] }] } },
    { google: { review_requests: [{ rpc_id: 'a&b', request: ['{app_id}', '{token}'] }] } },
    { google: { review_rows: [{ points: [2] }] } },
    { google: { review_rows: [{ stars: [] }] } },
    { google: { app_data: [{ rating: [-1] }] } },
  ]) {
    assert.equal(addedFormats.safeParse(wrong).success, false, JSON.stringify(wrong))
  }
})
