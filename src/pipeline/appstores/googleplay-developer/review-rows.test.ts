import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReview, readReviewRows } from './review-rows.ts'

const at = (seconds: string) => ({ lastModified: { seconds } })
const comment = (text: string, seconds = '1900000000') => ({
  userComment: { text, starRating: 3, ...at(seconds) },
})

test('the newest comment of the user counts, wherever it stands', () => {
  const comments = [
    comment('\tbefore the edit', '1900000000'),
    { developerComment: { text: 'first', ...at('1900000005') } },
    comment('\tafter the edit', '1900000009'),
    { developerComment: { text: 'second', ...at('1900000007') } },
  ]
  const review = readReview({ reviewId: 'r', comments })
  assert.ok(review.kind === 'parsed')
  assert.equal(review.value.body, 'after the edit')
  assert.equal(review.value.shownAt.toISOString(), '2030-03-17T17:46:49.000Z')
  assert.equal(review.value.reply?.text, 'second')
})

test('title and text are separated by the first tab', () => {
  const parts = (text: string) => {
    const review = readReview({ reviewId: 'r', comments: [comment(text)] })
    return review.kind === 'parsed' ? [review.value.title, review.value.body] : review.detail
  }
  assert.deepEqual(parts('Title\tText\twith a tab'), ['Title', 'Text\twith a tab'])
  assert.deepEqual(parts('\tText'), [null, 'Text'])
  assert.deepEqual(parts('Text'), [null, 'Text'])
  assert.deepEqual(parts(' \t'), [null, ''])
})

test('an original text takes precedence over its translation', () => {
  const userComment = { text: 'A good app', originalText: '\tGute App', starRating: 5, ...at('1900000000') }
  const review = readReview({ reviewId: 'r', comments: [{ userComment }] })
  assert.equal(review.kind === 'parsed' ? review.value.body : review.detail, 'Gute App')
})

test('fields that may be missing are null', () => {
  const review = readReview({ reviewId: 'r', comments: [comment('\tText')] })
  assert.ok(review.kind === 'parsed')
  const { author, appVersion, language, reply } = review.value
  assert.deepEqual([author, appVersion, language, reply], [null, null, null, null])
})

test('a review without id, stars, text or date is malformed', () => {
  const detail = (item: unknown) => {
    const review = readReview(item)
    return review.kind === 'changed' ? review.detail : 'parsed'
  }
  const fields = { text: 'x', starRating: 3, ...at('1900000000') }
  const of = (change: object) => ({ reviewId: 'r', comments: [{ userComment: { ...fields, ...change } }] })
  assert.match(detail({ comments: [{ userComment: fields }] }), /no id/)
  assert.match(detail({ reviewId: 'r' }), /no comment of its user/)
  assert.match(detail(of({ starRating: 0 })), /stars/)
  assert.match(detail(of({ text: 7 })), /no text/)
  assert.match(detail(of({ lastModified: { seconds: 'soon' } })), /with a date/)
  assert.match(detail(of({ lastModified: { seconds: '1900000000', nanos: -1 } })), /with a date/)
  assert.equal(detail(of({})), 'parsed')
})

test('a list or a token of another type is another format', () => {
  assert.equal(readReviewRows({ reviews: {} }).kind, 'changed')
  assert.equal(readReviewRows({ tokenPagination: { nextPageToken: 7 } }).kind, 'changed')
  assert.deepEqual(readReviewRows({}), { kind: 'parsed', value: { reviews: [], malformed: [], token: null } })
})
