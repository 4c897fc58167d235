import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ascIdOf } from '../simulate/appstoreconnect/review-id.ts'
import { publicReviewIdsOf, shownIdsOf } from './public-review-id.ts'

test('the parser reads the public id in both orders of the middle bytes', () => {
  // The example of Apple's documentation, with the two bytes swapped.
  assert.deepEqual(publicReviewIdsOf('00000028-b08c-0014-729e-fbd500000000', '682658836'), ['1923021781'])
  const id = ascIdOf('6740145520', '13827967009')
  assert.equal(id, '00000191-be75-7003-3836-082100000000')
  assert.deepEqual(publicReviewIdsOf(id, '6740145520'), ['13827967009'])
})

test('an id of another app, of another form or with other bytes at its end contains none', () => {
  const id = ascIdOf('6740145520', '13827967009')
  assert.deepEqual(publicReviewIdsOf(id, '6740145521'), [])
  assert.deepEqual(publicReviewIdsOf(id, 'com.example.app'), [])
  assert.deepEqual(publicReviewIdsOf('a3f8c210-1111-4111-8111-111111111111', '6740145520'), [])
  assert.deepEqual(publicReviewIdsOf('13827967009', '6740145520'), [])
  assert.deepEqual(publicReviewIdsOf(id.replace(/0$/, '1'), '6740145520'), [])
})

test('one of at most two readings is the public id', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100_000_000, max: 9_999_999_999 }),
      fc.integer({ min: 1, max: 999_999_999_999 }),
      (appId, reviewId) => {
        const ids = publicReviewIdsOf(ascIdOf(String(appId), String(reviewId)), String(appId))
        return ids.length <= 2 && ids.includes(String(reviewId))
      },
    ),
  )
})

test('the ids under which Apple may show a review are the same for its public id and its official one', () => {
  const official = ascIdOf('6740145520', '13827967009')
  const idsOf = (reviewId: string) =>
    [...shownIdsOf({ store: 'apple', appId: '6740145520', reviewId })].sort()
  assert.ok(idsOf('13827967009').includes(official))
  assert.deepEqual(idsOf(official), idsOf('13827967009'))
  assert.deepEqual(idsOf('chosen'), ['chosen'])
  assert.deepEqual(shownIdsOf({ store: 'google', appId: 'com.example', reviewId: '1' }), ['1'])
})
