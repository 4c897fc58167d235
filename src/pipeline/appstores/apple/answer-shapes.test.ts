import assert from 'node:assert/strict'
import { type Either, testAllRecorded, testShape } from '../../../../test/support/recordings.ts'
import type { Parsed } from '../parsed.ts'
import { parsePageReviews } from './app-page.ts'
import { parseFeedJson } from './feed-json.ts'
import type { FeedPage } from './feed-page.ts'
import { parseFeedXml } from './feed-xml.ts'
import { parseApps } from './lookup.ts'
import { parseWebReviews } from './web-reviews.ts'

/** Synthetic answers of Apple and the real ones they imitate: `test/recordings/README.md`. */

const NO_ROWS = { reviews: [], malformed: [], rows: 0 }
/** A feed without reviews and without a link to a page. */
const EMPTY_FEED = { ...NO_ROWS, lastPage: null, nextPage: null }

type Shape = { readonly real: string; readonly check: (text: string, either: Either) => void }

/** The real answer that each synthetic answer imitates, and its check. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'apple-rss/page-of-50.json': {
    real: 'apple-rss/appvox-itunes_rss_reviews.json',
    check: (text) => {
      const page = parsedValue(parseFeedJson(JSON.parse(text)))
      assert.deepEqual([page.reviews.length, page.lastPage, page.nextPage], [50, 10, 2])
      assert.ok(page.reviews.every(isComplete))
    },
  },
  'apple-rss/page-of-50.xml': {
    real: 'apple-rss/appvox-itunes_rss_reviews.xml',
    check: (text) => {
      const page = parsedValue(parseFeedXml(text))
      assert.deepEqual([page.reviews.length, page.lastPage, page.nextPage], [50, 10, 2])
      assert.ok(page.reviews.every(isComplete))
      const ids = page.reviews.map((review) => BigInt(review.reviewId))
      assert.ok(ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? 0n)))
      assert.ok(page.reviews.every((review) => !/<table|<\/content>|&(?:amp|lt|gt);/.test(review.body)))
    },
  },
  'apple-rss/empty.xml': {
    real: 'apple-rss/appvox-empty.xml',
    check: (text) => {
      assert.deepEqual(parsedValue(parseFeedXml(text)), EMPTY_FEED)
    },
  },
  'apple-rss/empty-page-3-of-10.json': {
    real: 'apple-rss/omnihear-empty-transient-tr-2026-09.json',
    check: (text) => {
      assert.deepEqual(parsedValue(parseFeedJson(JSON.parse(text))), {
        ...NO_ROWS,
        lastPage: 10,
        nextPage: 4,
      })
    },
  },
  'apple-rss/page-of-2018-without-dates.json': {
    real: 'apple-rss/tema4p-viber-al-2018.json',
    check: (text) => {
      const page = parseFeedJson(JSON.parse(text))
      assert.ok(page.kind === 'changed')
      assert.match(page.detail, /no date/)
      // With dates added the same page has 50 reviews: its 51st entry is the app.
      const root = JSON.parse(text)
      for (const entry of root.feed.entry) entry.updated = { label: '2018-03-08T00:00:00-07:00' }
      assert.equal(parsedValue(parseFeedJson(root)).reviews.length, 50)
    },
  },
  'apple-rss/page-depth-exceeded.txt': {
    real: 'apple-rss/page-depth-exceeded-400.txt',
    check: (text) => assert.match(text, /page depth is limited/i),
  },
  'apple-rss/page-of-2026.json': {
    real: 'apple-2026-autumn/2026-09-28-app_reviews-duolingo_us_page1.json',
    check: (text, either) => assertPageOf2026(parseFeedJson(JSON.parse(text)), either),
  },
  'apple-rss/page-of-2026.xml': {
    real: 'apple-2026-autumn/2026-09-28-app_reviews-duolingo_us_page1.xml',
    check: (text, either) => assertPageOf2026(parseFeedXml(text), either),
  },
  'apple-rss/two-reviews-without-next-page.json': {
    real: 'apple-2026-autumn/2026-08-12-ziyi28-page-01-synthetic.json',
    check: (text, either) => {
      const page = parsedValue(parseFeedJson(JSON.parse(text)))
      assert.deepEqual([page.rows, page.lastPage, page.nextPage], [2, 10, null])
      assert.ok(page.reviews.every(isComplete))
      assert.deepEqual(
        page.reviews.map((review) => [review.reviewId, review.rating, review.shownAt.toISOString()]),
        [
          [
            either('8150227316', '8435931487'),
            5,
            either('2026-07-17T20:31:09.000Z', '2026-07-21T01:04:23.000Z'),
          ],
          [
            either('8150227317', '8435931488'),
            1,
            either('2026-07-16T12:40:00.000Z', '2026-07-19T16:12:00.000Z'),
          ],
        ],
      )
    },
  },
  'apple-rss/app-first-without-links.xml': {
    real: 'apple-2026-autumn/2026-08-12-plahteenlahti-customerreviews-trimmed.xml',
    check: (text, either) => {
      const page = parsedValue(parseFeedXml(text))
      // The app is the first entry and no row. Only the first review has a copy of its text as HTML.
      assert.deepEqual([page.rows, page.lastPage, page.nextPage], [2, null, null])
      assert.ok(page.reviews.every(isComplete))
      assert.ok(page.reviews.every((review) => !review.body.includes('<p>')))
      assert.deepEqual(
        page.reviews.map((review) => [review.reviewId, review.rating, review.appVersion]),
        [
          [either('13910804065', '14307969504'), 2, either('6.1.2', '3.5.2')],
          [either('13900000001', '14300000001'), 5, either('6.1.1', '3.5.1')],
        ],
      )
    },
  },
  'apple-rss/empty-of-2026.json': {
    real: 'apple-2026-autumn/2026-09-28-app_reviews-spotify_tr_page1.json',
    check: (text) => assert.deepEqual(parsedValue(parseFeedJson(JSON.parse(text))), EMPTY_FEED),
  },
  'apple-rss/empty-of-2026.xml': {
    real: 'apple-2026-autumn/2026-09-28-app_reviews-spotify_tr_page1.xml',
    check: (text) => assert.deepEqual(parsedValue(parseFeedXml(text)), EMPTY_FEED),
  },
  'apple-rss/empty-without-entry.json': {
    real: 'apple-2026-autumn/2026-08-12-ziyi28-empty-feed-no-entry.json',
    check: (text) => {
      const root = JSON.parse(text)
      assert.ok(!('entry' in root.feed))
      assert.deepEqual(parsedValue(parseFeedJson(root)), EMPTY_FEED)
    },
  },
  'apple-rss/empty-entry-list.json': {
    real: 'apple-2026-autumn/2026-08-12-ziyi28-empty-feed-entry-list-synthetic.json',
    check: (text) => {
      const root = JSON.parse(text)
      assert.deepEqual(root.feed.entry, [])
      assert.deepEqual(parsedValue(parseFeedJson(root)), EMPTY_FEED)
    },
  },
  'apple-rss/entry-is-text.json': {
    real: 'apple-2026-autumn/2026-08-12-ziyi28-malformed-feed-synthetic.json',
    check: (text) => {
      // The text counts as one malformed row, and a page of nothing else has a changed format: it is not empty.
      assert.deepEqual(parseFeedJson(JSON.parse(text)), {
        kind: 'changed',
        detail: 'a review has no numeric id but nothing',
      })
    },
  },
  'apple-web/reviews.json': {
    real: 'apple-web/appvox-appstore_reviews.json',
    check: (text) => {
      const page = parsedValue(parseWebReviews(JSON.parse(text)))
      assert.deepEqual([page.reviews.length, page.nextOffset], [10, 20])
      assert.ok(page.reviews.every((review) => typeof review.edited === 'boolean' && review.title !== null))
    },
  },
  'apple-web/review-node.json': {
    real: 'apple-web/review-node-shape.json',
    check: (text) => {
      const [review, ...others] = parsedValue(parsePageReviews(text)).reviews
      assert.equal(others.length, 0)
      assert.deepEqual([review?.rating, review?.edited], [5, true])
    },
  },
  'apple-web/ratings-node.json': {
    real: 'apple-web/ratings-node-instagram-us-2026-09-14.json',
    check: (text) => {
      assert.deepEqual(parsedValue(parsePageReviews(text)), NO_ROWS)
    },
  },
  'apple-lookup/app-of-2019.json': {
    real: 'apple-lookup/adappstorefeedback-dodo-2019.json',
    check: (text, either) => assertRating(text, either('607443962', '640199958'), 4_000_000, 1225),
  },
  'apple-lookup/app-of-2014.json': {
    real: 'apple-lookup/fastlane-itunesLookup-284882215.json',
    check: (text, either) => assertRating(text, either('254652409', '284882215'), 3_500_000, 2_840_784),
  },
  'apple-lookup/app-of-2014-fr.json': {
    real: 'apple-lookup/fastlane-itunesLookup-338986109_FR.json',
    check: (text, either) => assertRating(text, either('653394939', '338986109'), 3_500_000, 4118),
  },
  'apple-lookup/mac-app.json': {
    real: 'apple-lookup/mas-slack-lookup.json',
    check: (text, either) => assertRating(text, either('680419807', '803453959'), 4_000_000, 1467),
  },
  'apple-lookup/no-app.json': {
    real: 'apple-lookup/fastlane-itunesLookup-0.json',
    check: (text) => assert.deepEqual(parsedValue(parseApps(JSON.parse(text))), []),
  },
  'apple-lookup/invalid-id.json': {
    real: 'apple-lookup/fastlane-itunesLookup-invalid.json',
    check: (text) => {
      const root = JSON.parse(text)
      assert.match(root.errorMessage, /itunesId/)
      assert.equal(parseApps(root).kind, 'changed')
    },
  },
  'apple-search/two-apps.json': {
    real: 'apple-search/itunesserviceskit-2019.json',
    check: (text, either) => {
      const apps = parsedValue(parseApps(JSON.parse(text)))
      assert.deepEqual(
        apps.map((one) => [one.app.appId, one.app.rating]),
        [
          [either('632260756', '457954781'), { micros: 4_500_000, count: 38_688 }],
          [either('2369408867', '1043584510'), { micros: 4_500_000, count: 19_031 }],
        ],
      )
    },
  },
  'apple-search/39-mac-apps-without-ratings.json': {
    real: 'apple-search/mas-slack.json',
    check: (text) => {
      const apps = parsedValue(parseApps(JSON.parse(text)))
      assert.equal(apps.length, 39)
      // All of them show 0 of 0, although the first has thousands of ratings.
      assert.equal(apps[0]?.rating.kind, 'none')
      assert.equal(apps[0]?.app.rating, null)
    },
  },
  'apple-search/no-app.json': {
    real: 'apple-search/mas-old-nonexistent.json',
    check: (text) => assert.deepEqual(parsedValue(parseApps(JSON.parse(text))), []),
  },
}

for (const [synthetic, { real, check }] of Object.entries(SHAPES)) {
  testShape(`parses ${synthetic}`, { synthetic, real }, (text, either) => {
    check(text, either)
    for (const parse of [parseFeedXml, parsePageReviews]) assert.ok(parse(text).kind !== undefined)
  })
}

testAllRecorded('every recorded answer of Apple has a synthetic one', 'apple')

function parsedValue<T>(answer: Parsed<T>): T {
  assert.ok(answer.kind === 'parsed', JSON.stringify(answer).slice(0, 300))
  return answer.value
}

/** Both forms of the same page, so the same reviews. */
function assertPageOf2026(answer: Parsed<FeedPage>, either: Either): void {
  const page = parsedValue(answer)
  assert.deepEqual([page.rows, page.malformed, page.lastPage, page.nextPage], [3, [], 10, 2])
  assert.ok(page.reviews.every(isComplete))
  assert.deepEqual(
    page.reviews.map((review) => [review.reviewId, review.rating, review.shownAt.toISOString()]),
    either(
      [
        ['14200313807', 5, '2026-09-24T18:20:31.000Z'],
        ['14200302623', 4, '2026-09-24T18:15:51.000Z'],
        ['14200301039', 5, '2026-09-24T18:15:11.000Z'],
      ],
      [
        ['14597479246', 5, '2026-09-26T23:52:44.000Z'],
        ['14597468062', 4, '2026-09-26T23:48:04.000Z'],
        ['14597466478', 5, '2026-09-26T23:47:24.000Z'],
      ],
    ),
  )
  // The second text has a line break, the third an emoji of several code points. The HTML copy is not the text.
  assert.match(page.reviews[1]?.body ?? '', /\S\n {5}\S/)
  assert.match(page.reviews[2]?.body ?? '', /\p{Extended_Pictographic}\u200D/u)
  assert.ok(page.reviews.every((review) => !/<|&(?:amp|lt|gt|quot);/.test(review.body)))
}

function isComplete(review: {
  author: string | null
  appVersion: string | null
  body: string
  rating: number
}): boolean {
  return review.author !== null && review.appVersion !== null && review.body !== '' && review.rating >= 1
}

function assertRating(text: string, appId: string, micros: number, count: number): void {
  const [found] = parsedValue(parseApps(JSON.parse(text)))
  assert.equal(found?.app.appId, appId)
  assert.deepEqual(found?.app.rating, { micros, count })
  assert.ok((found?.app.name ?? '') !== '' && found?.app.developer !== null && found?.app.iconUrl !== null)
}
