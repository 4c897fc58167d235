import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addedFormats } from './added-formats.ts'
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

test('a file of formats has known names, places and positions only', () => {
  const allowed = {
    apple: { feed_addresses: [ADDRESS] },
    google: { review_rows: [{ stars: [20], reply: ['7', 0] }], app_data: [{ rating: [52] }] },
  }
  assert.deepEqual(addedFormats.parse(allowed), allowed)
  for (const wrong of [
    { amazon: {} },
    { apple: { feed_addresses: ['https://example.com/{id}/{form}'] } },
    { apple: { feed_addresses: ['/{id}'] } },
    { apple: { feed_addresses: ['/{id}/{form}/{secret}'] } },
    { apple: { feed_addresses: ['/@example.com/{id}/{form}'] } },
    { google: { review_rows: [{ points: [2] }] } },
    { google: { review_rows: [{ stars: [] }] } },
    { google: { app_data: [{ rating: [-1] }] } },
  ]) {
    assert.equal(addedFormats.safeParse(wrong).success, false, JSON.stringify(wrong))
  }
})
