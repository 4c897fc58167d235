import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MALFORMED_RAW_CHARS_MAX } from '../../model/malformed-row.ts'
import type { StoreReview } from '../../model/review.ts'
import { jsonText, pageRowsOf, type RowRead } from './review-page-rows.ts'

function review(reviewId: string): StoreReview {
  const shownAt = new Date('2026-03-01T00:00:00Z')
  return { reviewId, rating: 4, title: null, body: '', author: null, appVersion: null, shownAt, edited: null }
}

const good = (id: string): RowRead => ({ raw: { id }, reviewId: id, review: review(id) })
const bad = (id: string | null, raw: unknown = { id }): RowRead => ({ raw, reviewId: id, review: 'no stars' })

test('malformed rows are quarantined up to a third of a page, and beyond that are a changed format', () => {
  for (const [malformed, all, changed] of [
    [1, 1, true],
    [1, 2, false],
    [2, 2, true],
    [1, 3, false],
    [2, 3, true],
    [1, 4, false],
    [2, 4, true],
    [2, 6, false],
    [3, 6, true],
    [16, 50, false],
    [17, 50, true],
    [50, 150, false],
    [51, 150, true],
  ] as const) {
    const rows = Array.from({ length: all }, (_, n) => (n < malformed ? bad(`b${n}`) : good(`g${n}`)))
    const page = pageRowsOf(rows)
    assert.equal(typeof page === 'string', changed, `${malformed} of ${all}`)
    if (typeof page !== 'string')
      assert.deepEqual([page.reviews.length, page.malformed.length], [all - malformed, malformed])
  }
  assert.deepEqual(pageRowsOf([]), { reviews: [], malformed: [], rows: 0 })
})

test('a page keeps every valid row, in any order, while the malformed share is within the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (kinds) => {
      const rows = kinds.map((isGood, n) => (isGood ? good(`r${n}`) : bad(`r${n}`)))
      const malformed = kinds.filter((isGood) => !isGood).length
      const page = pageRowsOf(rows)
      if (kinds.length >= 3 ? malformed * 3 > kinds.length : malformed > 0 && malformed === kinds.length) {
        assert.equal(typeof page, 'string')
        return
      }
      assert.ok(typeof page !== 'string')
      assert.deepEqual(
        page.reviews.map((one) => one.reviewId),
        rows.flatMap((row) => (typeof row.review === 'string' ? [] : [row.reviewId])),
      )
      assert.equal(page.malformed.length, malformed)
      assert.equal(page.rows, kinds.length)
    }),
  )
})

test('the key of a malformed row is its id, or the hash of its raw form', () => {
  const page = pageRowsOf([
    good('a'),
    good('b'),
    good('c'),
    good('d'),
    bad('7'),
    bad(null, { x: 1 }),
    good('e'),
  ])
  assert.ok(typeof page !== 'string')
  const [seven, nameless] = page.malformed
  assert.equal(seven?.rowKey, '7')
  assert.equal(nameless?.rowKey, `raw:${nameless?.rawHash}`)
  assert.equal(nameless?.raw, '{"x":1}')
  const long = pageRowsOf([good('a'), good('b'), bad('x'.repeat(5_000))])
  assert.ok(typeof long !== 'string')
  assert.match(long.malformed[0]?.rowKey ?? '', /^raw:[0-9a-f]{64}$/)
})

test('a malformed duplicate of a valid row is ignored', () => {
  const page = pageRowsOf([bad('a'), good('a'), good('b')])
  assert.ok(typeof page !== 'string')
  assert.deepEqual(page.malformed, [])
})

test('the stored raw form is truncated, and its hash covers the whole row', () => {
  const raw = (end: string) => `\u0000\uD800${'x'.repeat(MALFORMED_RAW_CHARS_MAX)}${end}`
  const pages = ['1', '2'].map((end) => pageRowsOf([good('a'), good('b'), bad('7', raw(end))]))
  const [one, two] = pages.map((page) => (typeof page === 'string' ? undefined : page.malformed[0]))
  assert.equal(one?.raw.length, MALFORMED_RAW_CHARS_MAX)
  assert.ok(one?.raw.startsWith('\uFFFD\uFFFDx'))
  assert.equal(one?.raw, two?.raw)
  assert.notEqual(one?.rawHash, two?.rawHash)
})

test('a value nested too deeply for JSON gets a placeholder', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep]
  assert.equal(jsonText(deep), '"(nested too deeply)"')
})
