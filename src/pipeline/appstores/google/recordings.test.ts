import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readRpcAnswer } from './batchexecute.ts'
import { readDetails } from './details-page.ts'
import { readRow, readRows } from './review-rows.ts'
import { readSearchPage } from './search.ts'

/**
 * Real answers of Play of 2019 to 2026 hold people's names and words, so they lie outside the tree: in the folder that
 * RADAR_RECORDINGS names, else beside the repository. The checks here are about shape alone.
 */
const folder = process.env.RADAR_RECORDINGS ?? join(import.meta.dirname, '../../../../../shared/recordings')
const skip = existsSync(join(folder, 'google-reviews')) ? false : `there are no recordings in ${folder}`
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

test('150 recorded reviews of 2026-07 are read, newest first, each once', { skip }, () => {
  const answer = readRpcAnswer(read('google-reviews/mradex77-translate-page1.txt'), 'UsvDTd')
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
  assert.equal(reviews[0]?.shownAt.toISOString(), '2026-07-06T13:55:24.077Z')
  assert.equal(reviews.filter((review) => review.edited).length, 17)
  assert.ok(reviews.every((review) => review.author !== null && review.body !== ''))
  assert.ok(reviews.some((review) => review.appVersion === null))
  assert.ok(reviews.some((review) => review.appVersion !== null))
})

test('a recorded edit history of 2021 holds two versions of one review', { skip }, () => {
  const answer = readRpcAnswer(read('google-reviews/appvox-twitter-history.txt'), 'UsvDTd')
  assert.ok(answer.kind === 'payload')
  const page = readRows(answer.payload)
  assert.ok(page.kind === 'rows')
  assert.equal(page.token, null)
  assert.equal(new Set(page.reviews.map((review) => review.reviewId)).size, 1)
  assert.deepEqual(
    page.reviews.map((review) => [review.shownAt.toISOString(), review.edited]),
    [
      ['2021-05-17T01:48:40.784Z', true],
      ['2021-05-17T01:47:58.045Z', false],
    ],
  )
})

test('the recorded answer for an unknown app is an empty page without a token', { skip }, () => {
  const answer = readRpcAnswer(read('google-reviews/empty-unknown-app-quoted.txt'), 'UsvDTd')
  assert.ok(answer.kind === 'payload')
  assert.deepEqual(readRows(answer.payload), { kind: 'rows', reviews: [], odd: [], rows: 0, token: null })
})

test('the recorded answer for a throttled client is null with its error', { skip }, () => {
  const answer = readRpcAnswer(read('google-reviews/null-payload-error-quoted.txt'), 'UsvDTd')
  assert.deepEqual(answer, { kind: 'null', error: '[3]' })
})

test('a recorded row of 2019, shorter and dated in seconds, is read', { skip }, () => {
  const review = readRow(JSON.parse(read('google-reviews/one-row-seconds-only-2019.json')))
  assert.ok(typeof review !== 'string', String(review))
  assert.equal(review.shownAt.toISOString(), '2019-04-10T07:26:10.000Z')
  assert.equal(review.edited, false)
  assert.equal(review.appVersion, '2.8.1')
})

test('a recorded app page of 2026 gives its rating of all devices', { skip }, () => {
  const page = readDetails(read('google-details/mradex77-minecraft.html'), 'com.mojang.minecraftpe')
  assert.ok(page.kind === 'details', JSON.stringify(page))
  assert.equal(page.source, 'details')
  assert.deepEqual(page.app.rating, { micros: 4_315_863, count: 5_715_302 })
  assert.ok(page.app.developer !== null && URL.canParse(page.app.iconUrl ?? ''))
})

test('a recorded app page of 2025 tells that nobody has rated the app', { skip }, () => {
  const page = readDetails(read('google-details/upgrader-page_issue520.html'), 'com.raiseright.edumarketapp')
  assert.ok(page.kind === 'details', JSON.stringify(page))
  assert.equal(page.source, 'details')
  assert.equal(page.app.rating, null)
})

test('a recorded app page of 2021, in another layout, is read from its linked data alone', { skip }, () => {
  const html = read('google-details/upgrader-page1.html')
  const page = readDetails(html, 'com.moonwink.treasury')
  assert.ok(page.kind === 'details', JSON.stringify(page))
  assert.equal(page.source, 'ld+json')
  assert.deepEqual(page.app.rating, { micros: 3_375_000, count: 8 })
  const without = readDetails(
    html.replace('application/ld+json', 'application/json'),
    'com.moonwink.treasury',
  )
  assert.equal(without.kind, 'unreadable')
})

test('a recorded page that is cut before its data is unreadable, not empty', { skip }, () => {
  const html = read('google-details/appvox-twitter-homepage-batch.txt')
  assert.equal(readDetails(html, 'com.twitter.android').kind, 'unreadable')
  assert.equal(readSearchPage(html), null)
})

test('a recorded page of an app is not taken for a search that found nothing', { skip }, () => {
  assert.equal(readSearchPage(read('google-details/upgrader-page1.html')), null)
})

test('recorded suggestions are no answer of the reviews rpc', { skip }, () => {
  const text = read('google-details/mradex77-suggest-pand.txt')
  assert.equal(readRpcAnswer(text, 'UsvDTd').kind, 'unreadable')
  assert.equal(readRpcAnswer(text, 'IJ4APc').kind, 'payload')
})
