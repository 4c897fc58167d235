import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { reviewRow, reviewsPayload, type WireReview } from '../../../simulate/google/wire.ts'
import { readRow, readRows } from './review-rows.ts'

const written: WireReview = {
  id: '5f3a0c1e-0000-4000-8000-000000000001',
  author: 'Mira Tal',
  stars: 4,
  title: null,
  body: 'Nice, but the map is slow 🐢',
  shownAt: new Date('2026-07-01T10:00:00.077Z'),
  version: '3.2.1',
  edited: false,
}

test('a row is read with all fields', () => {
  assert.deepEqual(readRow(reviewRow(written)), {
    reviewId: written.id,
    rating: 4,
    title: null,
    body: 'Nice, but the map is slow 🐢',
    author: 'Mira Tal',
    appVersion: '3.2.1',
    shownAt: new Date('2026-07-01T10:00:00.077Z'),
    edited: false,
    publicReply: null,
  })
})

test('the answer of the developer is read, and in an unknown form it is unknown', () => {
  const row = reviewRow(written)
  const at = new Date('2026-07-02T10:00:00.5Z')
  const replied = reviewRow({ ...written, reply: { text: 'Fixed \u{1F422}\u0000\ud800', writtenAt: at } })
  assert.deepEqual(reviewOf(replied).publicReply, { text: 'Fixed \u{1F422}\ufffd\ufffd', at })
  assert.deepEqual(reviewOf(row.with(7, ['D', 'Fixed'])).publicReply, { text: 'Fixed', at: null })
  for (const unknown of [undefined, 'Fixed', ['D'], ['D', 5, [1782900000]], ['D', ' '], {}]) {
    assert.equal(reviewOf(row.with(7, unknown)).publicReply, undefined, JSON.stringify(unknown))
  }
  assert.equal(reviewOf(row.slice(0, 7)).publicReply, undefined)
  const long = reviewOf(row.with(7, ['D', 'x'.repeat(20_000), [1782900000]])).publicReply
  assert.equal(long?.text.length, 10_000)
})

test('nanoseconds become milliseconds and may be missing', () => {
  const row = reviewRow(written)
  const instants: [unknown, string][] = [
    [[1782900000, 77_000_000], '2026-07-01T10:00:00.077Z'],
    [[1782900000, 770_000_000], '2026-07-01T10:00:00.770Z'],
    [[1782900000, 999_999_999], '2026-07-01T10:00:00.999Z'],
    [[1782900000, 5], '2026-07-01T10:00:00.000Z'],
    [[1782900000], '2026-07-01T10:00:00.000Z'],
    [[1782900000, null], '2026-07-01T10:00:00.000Z'],
  ]
  for (const [value, expected] of instants) {
    const review = readRow(row.with(5, value))
    assert.ok(typeof review !== 'string', JSON.stringify(value))
    assert.equal(review.shownAt.toISOString(), expected)
  }
})

test('a title is read, and an empty one is null', () => {
  const row = reviewRow(written)
  assert.equal(reviewOf(row.with(3, 'Well made')).title, 'Well made')
  assert.equal(reviewOf(row.with(3, '')).title, null)
})

test('the history field marks an edited review', () => {
  const row = reviewRow(written)
  assert.equal(reviewOf(row.with(14, [true, false])).edited, true)
  assert.equal(reviewOf(row.with(14, [false, false])).edited, false)
  assert.equal(reviewOf(row.slice(0, 13)).edited, false)
})

test('text, author and version may be missing, and an anonymous author has a generic name', () => {
  const row = reviewRow(written)
  for (const nothing of [null, '']) assert.equal(reviewOf(row.with(4, nothing)).body, '')
  assert.equal(reviewOf(row.with(1, [null])).author, null)
  assert.equal(reviewOf(row.with(1, null)).author, null)
  assert.equal(reviewOf(row.with(1, ['A Google user'])).author, 'A Google user')
  assert.equal(reviewOf(row.with(10, null)).appVersion, null)
  assert.equal(reviewOf(row.slice(0, 6)).appVersion, null)
})

test('a row without id, stars or date is malformed, and the reason names the position', () => {
  const row = reviewRow(written)
  const broken: [number, unknown, RegExp][] = [
    [0, null, /no id at \[0\]/],
    [0, 17, /no id at \[0\]/],
    [2, null, /no stars from 1 to 5 at \[2\]/],
    [2, 0, /no stars/],
    [2, 6, /no stars/],
    [2, 4.5, /no stars/],
    [2, '4', /no stars/],
    [5, null, /no date at \[5\]/],
    [5, [], /no date/],
    [5, ['1782900000'], /no date/],
    [5, [0], /no date/],
    [5, [1e18], /no date/],
    [5, [1782900000, -1], /no date/],
    [5, [1782900000, 1e9], /no date/],
    [4, ['text'], /text at \[4\]/],
  ]
  for (const [place, value, expected] of broken) {
    const result = readRow(row.with(place, value))
    assert.ok(typeof result === 'string', `[${place}] = ${JSON.stringify(value)} was read as a review`)
    assert.match(result, expected)
  }
  const page = readRows([
    [row, row.with(0, 'malformed').with(2, null)],
    [null, null],
  ])
  assert.ok(page.kind === 'rows')
  assert.deepEqual([page.reviews.length, page.malformed.length, page.rows], [1, 1, 2])
  assert.equal(page.malformed[0]?.rowKey, 'malformed')
  assert.match(page.malformed[0]?.reason ?? '', /no stars/)
  assert.equal(readRows([[row.with(2, null)]]).kind, 'unreadable', 'the only row of a page')
})

const NO_ROWS = { reviews: [], malformed: [], rows: 0 }

test('a page without rows is empty and may have a token for the next page', () => {
  for (const payload of [[], [null, null], [[], null], [[], [null, null]], [[], [null, '']]]) {
    assert.deepEqual(readRows(payload), { kind: 'rows', ...NO_ROWS, token: null }, JSON.stringify(payload))
  }
  assert.deepEqual(readRows([[], [null, 'more']]), { kind: 'rows', ...NO_ROWS, token: 'more' })
  for (const payload of [{}, 'text', 5, [{}], ['rows']]) {
    assert.equal(readRows(payload).kind, 'unreadable', JSON.stringify(payload))
  }
})

test('every possible review is read unchanged', () => {
  const reviews = fc.record({
    id: fc.string({ minLength: 1 }),
    author: fc.option(fc.string({ minLength: 1 })),
    stars: fc.integer({ min: 1, max: 5 }),
    title: fc.option(fc.string({ minLength: 1 })),
    body: fc.option(fc.string()),
    shownAt: fc.date({ min: new Date(1000), max: new Date('2100-01-01'), noInvalidDate: true }),
    version: fc.option(fc.string({ minLength: 1 })),
    edited: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(reviews), fc.option(fc.string({ minLength: 1 })), (list, token) => {
      const page = readRows(JSON.parse(JSON.stringify(reviewsPayload(list, token))))
      assert.deepEqual(page, {
        kind: 'rows',
        token,
        malformed: [],
        rows: list.length,
        reviews: list.map((review) => ({
          reviewId: review.id,
          rating: review.stars,
          title: review.title,
          body: review.body ?? '',
          author: review.author,
          appVersion: review.version,
          shownAt: review.shownAt,
          edited: review.edited,
          publicReply: null,
        })),
      })
    }),
  )
})

test('the reader never throws for a JSON value', () => {
  const nearRows = fc.array(fc.oneof(fc.jsonValue(), fc.constant(reviewRow(written))))
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.tuple(nearRows, fc.jsonValue())), (payload) => {
      readRows(payload)
    }),
  )
})

function reviewOf(row: unknown[]) {
  const review = readRow(row)
  assert.ok(typeof review !== 'string', String(review))
  return review
}
