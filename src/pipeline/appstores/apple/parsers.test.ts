import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePageReviews } from './app-page.ts'
import { parseFeedJson } from './feed-json.ts'
import { pageOfLink } from './feed-page.ts'
import { parseFeedXml } from './feed-xml.ts'
import { parseApps } from './lookup.ts'
import { reviewOf } from './review-fields.ts'
import { parseUserReviews } from './user-reviews-row.ts'
import { parseWebReviews } from './web-reviews.ts'

const label = (text: unknown) => ({ label: text })

/** A synthetic feed entry of today's layout. */
function entry(changes: Record<string, unknown> = {}) {
  return {
    author: { name: label('Somebody'), uri: label('https://itunes.example/1'), label: '' },
    updated: label('2026-02-03T04:05:06-07:00'),
    'im:rating': label('4'),
    'im:version': label('2.1'),
    id: label('12345678901'),
    title: label('A title'),
    content: { label: 'A text', attributes: { type: 'text' } },
    ...changes,
  }
}

const appEntry = {
  'im:name': label('The app'),
  title: label('The app'),
  id: label('https://itunes.example/app/id1'),
}
const feed = (entries: unknown, link: unknown = []) => ({ feed: { entry: entries, link } })

function reviewsIn(root: unknown) {
  const page = parseFeedJson(root)
  assert.ok(page.kind === 'parsed', JSON.stringify(page))
  return page.value.reviews
}

test('the entry of the app itself is skipped at any position', () => {
  const first = reviewsIn(feed([appEntry, entry()]))
  const last = reviewsIn(feed([entry(), appEntry]))
  assert.equal(first.length, 1)
  assert.deepEqual(first, last)
  assert.deepEqual(reviewsIn(feed(appEntry)), [])
})

test('version, author and title may be missing', () => {
  const [review] = reviewsIn(feed(entry({ 'im:version': undefined, author: undefined, title: undefined })))
  assert.deepEqual([review?.appVersion, review?.author, review?.title], [null, null, null])
})

test('a date is read with its offset', () => {
  const [review] = reviewsIn(feed(entry()))
  assert.equal(review?.shownAt.toISOString(), '2026-02-03T11:05:06.000Z')
})

test('a review without date, stars, text or id is malformed, and a page with only malformed rows is a changed format', () => {
  const malformed = [
    { updated: undefined },
    { updated: label('2026-02-03T04:05:06') },
    { updated: label('2026-02-31T04:05:06Z99') },
    { 'im:rating': undefined },
    { 'im:rating': label('0') },
    { 'im:rating': label('6') },
    { 'im:rating': label('4.5') },
    { id: label('https://itunes.example/review') },
    { content: undefined },
  ]
  for (const changes of malformed) {
    assert.equal(parseFeedJson(feed(entry(changes))).kind, 'changed', JSON.stringify(changes))
    const page = parseFeedJson(feed([entry({ id: label('8') }), entry(changes)]))
    assert.ok(page.kind === 'parsed')
    assert.deepEqual([page.value.reviews.length, page.value.malformed.length, page.value.rows], [1, 1, 2])
  }
  assert.equal(parseFeedJson({ feed: {} }).kind, 'changed')
  assert.equal(parseFeedJson({ feed: { entry: ['x'] } }).kind, 'changed')
})

test('a review shown twice on one page counts once', () => {
  const reviews = reviewsIn(feed([entry(), entry({ title: label('Later') }), entry({ id: label('9') })]))
  assert.deepEqual(
    reviews.map((review) => [review.reviewId, review.title]),
    [
      ['12345678901', 'A title'],
      ['9', 'A title'],
    ],
  )
})

test('the XML parser skips the app, reads the plain text instead of the HTML, and removes one level of escaping', () => {
  const xml = `<feed xmlns="x"><link rel="last" href="https://x.example/page=2/id=1/xml?a=1&b=2"/>
    <entry><im:name>The app</im:name><title>The app</title></entry>
    <entry><updated>2026-02-03T04:05:06-07:00</updated><id>7</id><title><![CDATA[A & <b>]]></title>
    <content type="html"><b>no</b></content>
    <content type="text">a &amp;lt; &#128512;&#x1F600; &#1114112; &nbsp; & b</content>
    <im:rating>2</im:rating><author><name>N</name></author></entry></feed>`
  const page = parseFeedXml(xml)
  assert.ok(page.kind === 'parsed', JSON.stringify(page))
  assert.equal(page.value.lastPage, 2)
  assert.deepEqual(
    page.value.reviews.map((review) => [review.title, review.body, review.author, review.appVersion]),
    [['A & <b>', 'a &lt; 😀😀 &#1114112; &nbsp; & b', 'N', null]],
  )
})

test('the page of a link is in its path, not in its query', () => {
  assert.equal(pageOfLink('https://x.example/us/rss/page=3/id=1/xml?urlDesc=/page=7/id=1/json'), 3)
  assert.equal(pageOfLink('https://x.example/us/rss/id=1/page=10'), 10)
  assert.equal(pageOfLink(''), null)
  assert.equal(pageOfLink('https://x.example/us/rss/id=1/xml?urlDesc=/page=7/'), null)
})

test('the web store and the endpoint of iTunes show answers of the developer, the feed shows none', () => {
  const web = (developerResponse?: unknown) => {
    const attributes = { rating: 2, title: 'T', review: 'R', date: '2026-01-01T00:00:00Z', developerResponse }
    const page = parseWebReviews({ data: [{ id: '77', attributes }] })
    return page.kind === 'parsed' ? page.value.reviews[0]?.publicReply : page
  }
  const response = { id: 5, body: 'Sorry, fixed', modified: '2026-01-02T00:00:00Z' }
  const reply = { text: 'Sorry, fixed', at: new Date('2026-01-02T00:00:00Z') }
  assert.deepEqual(web(response), reply)
  assert.deepEqual(web({ ...response, modified: 'yesterday' }), { ...reply, at: null })
  assert.equal(web(), null)
  for (const unknown of ['Sorry', { id: 5 }, { body: '' }, { body: ['x'] }, []]) {
    assert.equal(web(unknown), undefined, JSON.stringify(unknown))
  }
  const row = { userReviewId: '77', rating: 2, title: 'T', body: 'R', date: '2026-01-01T00:00:00Z' }
  const rows = parseUserReviews({ userReviewList: [{ ...row, developerResponse: response }] })
  assert.deepEqual(rows.kind === 'parsed' && rows.value.reviews[0]?.publicReply, reply)
  assert.ok(reviewsIn(feed([entry()])).every((review) => !('publicReply' in review)))
})

test("the web store's next page comes from its offset", () => {
  const element = {
    id: '77',
    attributes: {
      rating: 2,
      title: 'T',
      review: 'R',
      userName: 'U',
      date: '2026-01-01T00:00:00Z',
      isEdited: true,
    },
  }
  const page = parseWebReviews({ data: [element], next: '/v1/catalog/us/apps/1/reviews?l=en-US&offset=40' })
  assert.ok(page.kind === 'parsed')
  assert.equal(page.value.nextOffset, 40)
  assert.equal(page.value.reviews[0]?.edited, true)
  assert.equal(parseWebReviews({ data: [element], next: '/v1/reviews' }).kind, 'changed')
  assert.equal(parseWebReviews({ data: [{ id: '77' }] }).kind, 'changed')
  const malformed = parseWebReviews({ data: [element, { id: '78' }] })
  assert.ok(malformed.kind === 'parsed')
  assert.deepEqual(
    malformed.value.malformed.map((row) => [row.rowKey, row.raw]),
    [['78', '{"id":"78"}']],
  )
})

test('reviews are found anywhere in the page, newest first', () => {
  const node = (id: string, date: string, dateText: string) => ({
    $kind: 'Review',
    id,
    rating: 5,
    title: '',
    contents: 'C',
    reviewerName: 'N',
    date,
    dateText,
  })
  const older = node('1', '2026-01-01T00:00:00.000Z', 'edited * null *')
  const newer = node('2', '2026-01-02T00:00:00.000Z', '* null *')
  const page = parsePageReviews(
    JSON.stringify([{ deep: { shelf: [null, older, { review: newer }, older] } }]),
  )
  assert.ok(page.kind === 'parsed')
  assert.deepEqual(
    page.value.reviews.map((review) => [review.reviewId, review.title, review.edited]),
    [
      ['2', null, null],
      ['1', null, true],
    ],
  )
})

test("an app's page without reviews has the known format by any of its nodes", () => {
  const rows = (node: unknown) => {
    const page = parsePageReviews(JSON.stringify({ data: [{ intent: node }] }))
    return page.kind === 'parsed' ? page.value.rows : page.detail
  }
  for (const kind of ['ProductPageIntent', 'Shelf', 'flowAction', 'TitledParagraph'])
    assert.equal(rows({ $kind: kind }), 0, kind)
  assert.match(String(rows({ $kind: 'SomethingNew' })), /no node of the page has a known/)
})

test('parsers never throw for a JSON value', () => {
  const nearFeed = fc.record({ feed: fc.record({ entry: anything(), link: anything() }) })
  const nearLists = fc.record({
    data: anything(),
    userReviewList: anything(),
    results: anything(),
    next: anything(),
  })
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), nearFeed, nearLists), (root) => {
      for (const parse of [parseFeedJson, parseWebReviews, parseUserReviews, parseApps]) {
        const answer = parse(root)
        if (answer.kind === 'changed') assert.ok(answer.detail.length > 0)
      }
      parsePageReviews(JSON.stringify(root))
    }),
    { numRuns: 500 },
  )
})

test('the XML parser returns parsed or changed for any text', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<feed',
      '<entry>',
      '</entry>',
      '<id>',
      '</id>',
      '<content type="text">',
      '</content>',
      '&#1114112;',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      assert.ok(['parsed', 'changed'].includes(parseFeedXml(pieces.join('')).kind))
    }),
    { numRuns: 500 },
  )
})

test('a review is valid only with 1 to 5 whole stars', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: -10, max: 10 }), fc.double()), (rating) => {
      const answer = reviewOf({
        reviewId: '1',
        rating,
        title: 'T',
        body: '',
        shownAt: '2026-01-01T00:00:00Z',
      })
      assert.equal(answer.kind === 'parsed', [1, 2, 3, 4, 5].includes(rating))
    }),
  )
})

/** Lists and objects with the keys that the parsers read, and values of other types. */
function anything(): fc.Arbitrary<unknown> {
  const keys = [
    'label',
    'attributes',
    'id',
    'im:rating',
    'updated',
    'rating',
    'date',
    'review',
    'trackId',
    '$kind',
  ]
  const object = fc.dictionary(fc.constantFrom(...keys), fc.oneof(fc.jsonValue(), fc.constant('Review')))
  return fc.oneof(fc.jsonValue(), fc.array(object), object)
}
