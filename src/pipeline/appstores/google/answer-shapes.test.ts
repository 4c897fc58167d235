import assert from 'node:assert/strict'
import { testAllRecorded, testShape } from '../../../../test/support/recordings.ts'
import { readReviewRows } from '../googleplay-developer/review-rows.ts'
import { readRpcAnswer } from './batchexecute.ts'
import { readDetails } from './details-page.ts'
import { readRow, readRows } from './review-rows.ts'
import { readSearchPage } from './search.ts'

/** Synthetic answers of Google Play and the real ones they imitate: `test/recordings/README.md`. */

testShape(
  '150 reviews in the layout of 2026 are read, newest first, each once',
  { synthetic: 'google-reviews/page-of-150.txt', real: 'google-reviews/mradex77-translate-page1.txt' },
  (text, either) => {
    const answer = readRpcAnswer(text, 'UsvDTd')
    assert.ok(answer.kind === 'payload')
    const page = readRows(answer.payload)
    assert.ok(page.kind === 'rows')
    const { reviews } = page
    assert.equal(reviews.length, 150)
    assert.equal(new Set(reviews.map((review) => review.reviewId)).size, 150)
    assert.ok((page.token?.length ?? 0) > 20)
    const times = reviews.map((review) => review.shownAt.getTime())
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
    assert.equal(
      reviews[0]?.shownAt.toISOString(),
      either('2026-07-03T12:43:23.077Z', '2026-07-06T13:55:24.077Z'),
    )
    assert.equal(reviews.filter((review) => review.edited).length, 17)
    assert.ok(reviews.every((review) => review.author !== null && review.body !== ''))
    assert.ok(reviews.some((review) => review.appVersion === null))
    assert.ok(reviews.some((review) => review.appVersion !== null))
  },
)

testShape(
  'an edit history in the layout of 2021 has two versions of one review',
  { synthetic: 'google-reviews/edit-history-of-2021.txt', real: 'google-reviews/appvox-twitter-history.txt' },
  (text, either) => {
    const answer = readRpcAnswer(text, 'UsvDTd')
    assert.ok(answer.kind === 'payload')
    const page = readRows(answer.payload)
    assert.ok(page.kind === 'rows')
    assert.equal(page.token, null)
    assert.equal(new Set(page.reviews.map((review) => review.reviewId)).size, 1)
    assert.deepEqual(
      page.reviews.map((review) => [review.shownAt.toISOString(), review.edited]),
      [
        [either('2021-05-14T00:36:39.784Z', '2021-05-17T01:48:40.784Z'), true],
        [either('2021-05-14T00:35:57.045Z', '2021-05-17T01:47:58.045Z'), false],
      ],
    )
  },
)

testShape(
  'the answer for an unknown app is an empty page without a token',
  { synthetic: 'google-reviews/empty.txt', real: 'google-reviews/empty-unknown-app-quoted.txt' },
  (text) => {
    const answer = readRpcAnswer(text, 'UsvDTd')
    assert.ok(answer.kind === 'payload')
    assert.deepEqual(readRows(answer.payload), {
      kind: 'rows',
      reviews: [],
      malformed: [],
      rows: 0,
      token: null,
    })
  },
)

testShape(
  'the answer for a throttled client is null with an error',
  { synthetic: 'google-reviews/null-with-error.txt', real: 'google-reviews/null-payload-error-quoted.txt' },
  (text) => {
    const answer = readRpcAnswer(text, 'UsvDTd')
    assert.deepEqual(answer, { kind: 'null', error: '[3]' })
  },
)

testShape(
  'a row in the layout of 2019, shorter and dated in seconds, is read',
  { synthetic: 'google-reviews/row-of-2019.json', real: 'google-reviews/one-row-seconds-only-2019.json' },
  (text, either) => {
    const review = readRow(JSON.parse(text))
    assert.ok(typeof review !== 'string', String(review))
    assert.equal(review.shownAt.toISOString(), either('2019-04-07T06:14:09.000Z', '2019-04-10T07:26:10.000Z'))
    assert.equal(review.edited, false)
    assert.equal(review.appVersion, '2.8.1')
  },
)

testShape(
  'an app page in the layout of 2026 has the rating of all devices',
  { synthetic: 'google-details/page-of-2026.html', real: 'google-details/mradex77-minecraft.html' },
  (text, either) => {
    const page = readDetails(text, either('com.mupeml.vesucmetvpe', 'com.mojang.minecraftpe'))
    assert.ok(page.kind === 'details', JSON.stringify(page))
    assert.equal(page.source, 'details')
    assert.deepEqual(page.app.rating, { micros: 4_315_863, count: 5_715_302 })
    assert.ok(page.app.developer !== null && URL.canParse(page.app.iconUrl ?? ''))
  },
)

testShape(
  'an app page in the layout of 2025 reports that the app has no ratings',
  {
    synthetic: 'google-details/page-without-ratings.html',
    real: 'google-details/upgrader-page_issue520.html',
  },
  (text, either) => {
    const page = readDetails(text, either('com.caeterilvd.itopetmizizp', 'com.raiseright.edumarketapp'))
    assert.ok(page.kind === 'details', JSON.stringify(page))
    assert.equal(page.source, 'details')
    assert.equal(page.app.rating, null)
  },
)

testShape(
  'an app page in the layout of 2021 is read from its linked data',
  { synthetic: 'google-details/page-of-2021.html', real: 'google-details/upgrader-page1.html' },
  (text, either) => {
    const page = readDetails(text, either('com.duuzpovt.kbiitikk', 'com.moonwink.treasury'))
    assert.ok(page.kind === 'details', JSON.stringify(page))
    assert.equal(page.source, 'ld+json')
    assert.deepEqual(page.app.rating, { micros: 3_375_000, count: 8 })
    const without = readDetails(
      text.replace('application/ld+json', 'application/json'),
      either('com.duuzpovt.kbiitikk', 'com.moonwink.treasury'),
    )
    assert.equal(without.kind, 'unreadable')
  },
)

testShape(
  'a page truncated before its data is unreadable, not empty',
  {
    synthetic: 'google-details/cut-before-data.html',
    real: 'google-details/appvox-twitter-homepage-batch.txt',
  },
  (text, either) => {
    assert.equal(readDetails(text, either('com.example.cut', 'com.twitter.android')).kind, 'unreadable')
    assert.equal(readSearchPage(text), null)
  },
)

testShape(
  'an app page is not an empty search result',
  { synthetic: 'google-details/page-of-2021.html', real: 'google-details/upgrader-page1.html' },
  (text) => {
    assert.equal(readSearchPage(text), null)
  },
)

testShape(
  'search suggestions are not an answer of the reviews rpc',
  { synthetic: 'google-details/suggestions.txt', real: 'google-details/mradex77-suggest-pand.txt' },
  (text) => {
    assert.equal(readRpcAnswer(text, 'UsvDTd').kind, 'unreadable')
    assert.equal(readRpcAnswer(text, 'IJ4APc').kind, 'payload')
  },
)

testShape(
  'rows of 17 fields in the layout of 2026 are read in the order of relevance',
  {
    synthetic: 'google-reviews/rows-of-2026-by-relevance.txt',
    real: 'google-2026/2026-04-kryuchenko-oCPfdb-maps-cut.txt',
  },
  (text, either) => {
    const answer = readRpcAnswer(text, 'oCPfdb')
    assert.ok(answer.kind === 'payload')
    const page = readRows(answer.payload)
    assert.ok(page.kind === 'rows')
    assert.deepEqual([page.rows, page.malformed, page.token], [4, [], either('VOSK', 'CUT')])
    assert.ok(page.reviews.every((review) => review.author !== null && review.body !== ''))
    const days = page.reviews.map((review) => review.shownAt.toISOString().slice(0, 10))
    assert.deepEqual(
      days,
      either(
        ['2026-04-18', '2026-04-10', '2026-04-25', '2024-11-12'],
        ['2026-04-21', '2026-04-13', '2026-04-28', '2024-11-15'],
      ),
    )
    assert.deepEqual(
      page.reviews.map((review) => [review.rating, review.edited, review.appVersion]),
      [
        [1, true, either('31.15.01.604117238', '26.15.01.894202351')],
        [1, false, either('31.14.09.601228335', '26.14.09.891313448')],
        [2, true, either('31.17.05.611327763', '26.17.05.901412876')],
        [1, false, either('14.154.0103', '11.154.0104')],
      ],
    )
    // The third review was edited after its reply.
    const repliedFirst = page.reviews.map(
      ({ publicReply, shownAt }) => publicReply && (publicReply.at ?? shownAt) < shownAt,
    )
    assert.deepEqual(repliedFirst, [null, false, true, false])
  },
)

testShape(
  'a list of the developer API of 2020 has texts without titles, and replies',
  {
    synthetic: 'google-developer-api/reviews-of-2020.json',
    real: 'google-developer-api/reviews-list-id-2020.json',
  },
  (text, either) => {
    const page = readReviewRows(JSON.parse(text))
    assert.ok(page.kind === 'parsed')
    const { reviews, malformed, token } = page.value
    assert.deepEqual([malformed, token], [[], null])
    assert.ok(
      reviews.every((review) => review.title === null && review.rating === 5 && review.author !== null),
    )
    assert.ok(reviews.every((review) => review.body !== '' && !review.body.includes('\t')))
    assert.deepEqual(
      reviews.map((review) => [review.appVersion, review.language, review.reply !== null]),
      [
        ['1.0', either('en-TR', 'en-ID'), false],
        ['1.0', either('tr-TR', 'id-ID'), false],
        [null, either('en-TR', 'en-ID'), true],
        [null, either('en-TR', 'en-ID'), true],
      ],
    )
  },
)

testAllRecorded('every recorded answer of Google has a synthetic one', 'google')
