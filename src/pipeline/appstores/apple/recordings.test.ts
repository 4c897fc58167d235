import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { parsePageReviews } from './app-page.ts'
import { parseFeedJson } from './feed-json.ts'
import { parseFeedXml } from './feed-xml.ts'
import { parseApps } from './lookup.ts'
import type { Parsed } from './parsed.ts'
import { parseWebReviews } from './web-reviews.ts'

/**
 * Real answers of Apple, which stay outside the tree because they hold people's words: `RADAR_RECORDINGS` names their
 * folder, else one beside the checkout is taken.
 */
const folder =
  process.env.RADAR_RECORDINGS ?? resolve(import.meta.dirname, '../../../../..', 'shared', 'recordings')

const NO_ROWS = { reviews: [], odd: [], rows: 0 }

type Expectation = (text: string) => void

const EXPECTED: Readonly<Record<string, Expectation>> = {
  'apple-rss/appvox-itunes_rss_reviews.json': (text) => {
    const page = readOf(parseFeedJson(JSON.parse(text)))
    assert.deepEqual([page.reviews.length, page.lastPage, page.nextPage], [50, 10, 2])
    assert.ok(page.reviews.every(isWhole))
  },
  'apple-rss/appvox-itunes_rss_reviews.xml': (text) => {
    const page = readOf(parseFeedXml(text))
    assert.deepEqual([page.reviews.length, page.lastPage, page.nextPage], [50, 10, 2])
    assert.ok(page.reviews.every(isWhole))
    const ids = page.reviews.map((review) => BigInt(review.reviewId))
    assert.ok(ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? 0n)))
    assert.ok(page.reviews.every((review) => !/<table|<\/content>|&(?:amp|lt|gt);/.test(review.body)))
  },
  'apple-rss/appvox-empty.xml': (text) => {
    assert.deepEqual(readOf(parseFeedXml(text)), { ...NO_ROWS, lastPage: null, nextPage: null })
  },
  'apple-rss/omnihear-empty-transient-tr-2026-09.json': (text) => {
    assert.deepEqual(readOf(parseFeedJson(JSON.parse(text))), { ...NO_ROWS, lastPage: 10, nextPage: 4 })
  },
  'apple-rss/tema4p-viber-al-2018.json': (text) => {
    const page = parseFeedJson(JSON.parse(text))
    assert.ok(page.kind === 'changed')
    assert.match(page.detail, /no date/)
    // With dates added the same page has 50 reviews: its 51st entry is the app.
    const root = JSON.parse(text)
    for (const entry of root.feed.entry) entry.updated = { label: '2018-03-08T00:00:00-07:00' }
    assert.equal(readOf(parseFeedJson(root)).reviews.length, 50)
  },
  'apple-rss/page-depth-exceeded-400.txt': (text) => assert.match(text, /page depth is limited/i),
  'apple-web/appvox-appstore_reviews.json': (text) => {
    const page = readOf(parseWebReviews(JSON.parse(text)))
    assert.deepEqual([page.reviews.length, page.nextOffset], [10, 20])
    assert.ok(page.reviews.every((review) => typeof review.edited === 'boolean' && review.title !== null))
  },
  'apple-web/review-node-shape.json': (text) => {
    const [review, ...others] = readOf(parsePageReviews(text)).reviews
    assert.equal(others.length, 0)
    assert.deepEqual([review?.rating, review?.edited], [5, true])
  },
  'apple-web/ratings-node-instagram-us-2026-09-14.json': (text) => {
    assert.deepEqual(readOf(parsePageReviews(text)), NO_ROWS)
  },
  'apple-lookup/adappstorefeedback-dodo-2019.json': (text) => rates(text, '640199958', 4_000_000, 1225),
  'apple-lookup/fastlane-itunesLookup-284882215.json': (text) =>
    rates(text, '284882215', 3_500_000, 2_840_784),
  'apple-lookup/fastlane-itunesLookup-338986109_FR.json': (text) => rates(text, '338986109', 3_500_000, 4118),
  'apple-lookup/mas-slack-lookup.json': (text) => rates(text, '803453959', 4_000_000, 1467),
  'apple-lookup/fastlane-itunesLookup-0.json': (text) =>
    assert.deepEqual(readOf(parseApps(JSON.parse(text))), []),
  'apple-lookup/fastlane-itunesLookup-invalid.json': (text) => {
    const root = JSON.parse(text)
    assert.match(root.errorMessage, /itunesId/)
    assert.equal(parseApps(root).kind, 'changed')
  },
  'apple-search/itunesserviceskit-2019.json': (text) => {
    const apps = readOf(parseApps(JSON.parse(text)))
    assert.deepEqual(
      apps.map((one) => [one.app.appId, one.app.rating]),
      [
        ['457954781', { micros: 4_500_000, count: 38_688 }],
        ['1043584510', { micros: 4_500_000, count: 19_031 }],
      ],
    )
  },
  'apple-search/mas-slack.json': (text) => {
    const apps = readOf(parseApps(JSON.parse(text)))
    assert.equal(apps.length, 39)
    // All of them 0 of 0, although the first had thousands of ratings: it means "not known".
    assert.equal(apps[0]?.rating.kind, 'not_known')
    assert.equal(apps[0]?.app.rating, null)
  },
  'apple-search/mas-old-nonexistent.json': (text) =>
    assert.deepEqual(readOf(parseApps(JSON.parse(text))), []),
}

test('every recorded answer of Apple is read as what it holds', async (t) => {
  if (!existsSync(folder)) {
    t.diagnostic(`NOT RUN: there are no recordings in ${folder}; RADAR_RECORDINGS names their folder.`)
    return
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.parentPath.startsWith(join(folder, 'apple-')))
    .map((file) => join(file.parentPath, file.name).slice(folder.length + 1))
  t.diagnostic(`${files.length} recordings in ${folder}`)
  for (const file of files.sort()) {
    await t.test(file, () => {
      const text = readFileSync(join(folder, file), 'utf8')
      const expect = EXPECTED[file]
      if (expect === undefined) t.diagnostic(`${file} is not named in this test, so it was only parsed`)
      else expect(text)
      for (const parse of [parseFeedXml, parsePageReviews]) assert.ok(parse(text).kind !== undefined)
    })
  }
})

function readOf<T>(answer: Parsed<T>): T {
  assert.ok(answer.kind === 'parsed', JSON.stringify(answer).slice(0, 300))
  return answer.value
}

function isWhole(review: {
  author: string | null
  appVersion: string | null
  body: string
  rating: number
}): boolean {
  return review.author !== null && review.appVersion !== null && review.body !== '' && review.rating >= 1
}

function rates(text: string, appId: string, micros: number, count: number): void {
  const [found] = readOf(parseApps(JSON.parse(text)))
  assert.equal(found?.app.appId, appId)
  assert.deepEqual(found?.app.rating, { micros, count })
  assert.ok((found?.app.name ?? '') !== '' && found?.app.developer !== null && found?.app.iconUrl !== null)
}
