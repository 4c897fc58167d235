import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { SimulatedAnswer } from '../answer.ts'
import { createWorld, type World } from '../world.ts'
import { handleApple } from './apple.ts'

const ITUNES = { 'user-agent': 'iTunes/12.12 (Macintosh)' }
const BROWSER = { 'user-agent': 'Mozilla/5.0 (Macintosh)' }
const FEED = '/us/rss/customerreviews/page=1/id=1/sortby=mostrecent/json'
const WEB = '/api/apps/v1/catalog/us/apps/1/reviews?platform=web&sort=recent&limit=20&offset=0&l=en-US'

function get(world: World, url: string, headers: Record<string, string> = {}): SimulatedAnswer {
  return handleApple(world, { method: 'GET', url, headers, body: '', at: new Date('2026-02-01T00:00:00Z') })
}

// biome-ignore lint/suspicious/noExplicitAny: answers are untyped JSON, as for a store client
function read(answer: SimulatedAnswer): any {
  return JSON.parse(String(answer.body))
}

function worldWith(count: number): World {
  const world = createWorld()
  world.addApp({ store: 'apple', appId: '1', name: 'One App', developer: 'Example Ltd', iconUrl: null })
  world.setRating({ store: 'apple', appId: '1', storefront: 'us' }, { average: '4.83076', count: 120 })
  for (let index = 1; index <= count; index += 1) {
    const publishedAt = new Date(Date.parse('2026-01-01T00:00:00Z') + index * 1000)
    const review = {
      id: String(100 + index),
      rating: 5,
      title: 'T',
      body: 'B',
      author: 'A',
      version: '1',
      publishedAt,
    }
    world.addReview({ store: 'apple', appId: '1', market: 'us' }, review)
  }
  return world
}

test('the feed wraps scalars, has the offset -07:00, and has different forms for no, one and many entries', () => {
  assert.equal('entry' in read(get(worldWith(0), FEED)).feed, false)
  const { entry } = read(get(worldWith(1), FEED)).feed
  assert.deepEqual(Object.keys(entry), [
    'author',
    'updated',
    'im:rating',
    'im:version',
    'id',
    'title',
    'content',
    'link',
    'im:voteSum',
    'im:contentType',
    'im:voteCount',
  ])
  assert.equal(entry.updated.label, '2025-12-31T17:00:01-07:00')
  assert.equal(entry['im:rating'].label, '5')
  assert.equal(read(get(worldWith(51), FEED)).feed.entry.length, 50)
})

test('the feed links to its XML form and last page, and has empty links without reviews', () => {
  const href = (world: World, rel: string, url = FEED): string => {
    const link = read(get(world, url)).feed.link.find(
      (one: { attributes: { rel: string } }) => one.attributes.rel === rel,
    )
    return link.attributes.href
  }
  assert.match(
    href(worldWith(120), 'last'),
    /\/us\/rss\/customerreviews\/page=3\/id=1\/sortby=mostrecent\/xml\?urlDesc=/,
  )
  assert.match(href(worldWith(120), 'next'), /page=2\//)
  assert.equal(href(worldWith(0), 'last'), '')
})

test('the feed accepts its segments in any order and defaults to the first page of us', () => {
  const world = worldWith(3)
  for (const url of [
    '/us/rss/customerreviews/id=1/sortBy=mostRecent/page=1/json',
    '/rss/customerreviews/id=1/json',
    '/rss/customerreviews/id=1/json?l=en&cc=us',
  ]) {
    assert.equal(read(get(world, url)).feed.entry.length, 3, url)
  }
})

test('after page 10 the feed answers 400 with its text, gzipped for clients that accept gzip', () => {
  const url = FEED.replace('page=1', 'page=11')
  const plain = get(worldWith(1), url)
  assert.deepEqual([plain.status, plain.body], [400, 'CustomerReviews RSS page depth is limited to 10'])
  const gzipped = get(worldWith(1), url, { 'accept-encoding': 'gzip' })
  assert.equal(gzipped.headers['content-encoding'], 'gzip')
  assert.equal(String(gunzipSync(gzipped.body)), plain.body)
})

test('the web store requires a browser and a platform, returns at most 20 reviews, and omits platform and sort in next', () => {
  const world = worldWith(25)
  assert.equal(get(world, WEB, { 'user-agent': 'curl/8' }).status, 429)
  assert.equal(get(world, WEB.replace('platform=web&', ''), BROWSER).status, 400)
  assert.equal(get(world, WEB.replace('apps/1/', 'apps/2/'), BROWSER).status, 404)
  assert.deepEqual(read(get(world, WEB.replace('limit=20', 'limit=21'), BROWSER)).data, [])
  const first = read(get(world, WEB, BROWSER))
  assert.equal(first.data.length, 20)
  assert.equal(first.next, '/v1/catalog/us/apps/1/reviews?l=en-US&offset=20')
  const second = read(get(world, WEB.replace('offset=0', 'offset=20'), BROWSER))
  assert.equal(second.data.length, 5)
  assert.equal('next' in second, false)
  assert.equal(first.data[0].attributes.date, '2026-01-01T00:00:25Z')
  // Without sort=recent the store returns the most helpful reviews, which are old.
  assert.equal(read(get(world, WEB.replace('sort=recent&', ''), BROWSER)).data[0].id, '101')
})

test('userReviewsRow answers iTunes with JSON and others with HTML', () => {
  const url =
    '/WebObjects/MZStore.woa/wa/userReviewsRow?id=1&displayable-kind=11&startIndex=1&endIndex=3&sort=0&cc=us'
  assert.match(String(get(worldWith(5), url).body), /^<!DOCTYPE html>/)
  const rows = read(get(worldWith(5), url, ITUNES)).userReviewList
  assert.deepEqual(
    rows.map((row: { userReviewId: string }) => row.userReviewId),
    ['104', '103'],
  )
})

test('lookup starts with newlines, omits unknown apps, and fails if any id is invalid', () => {
  const answer = get(worldWith(0), '/lookup?id=1,2&country=us')
  assert.match(String(answer.body), /^\n\n\n\{/)
  assert.match(answer.headers['content-type'] ?? '', /^text\/javascript/)
  const { resultCount, results } = read(answer)
  assert.deepEqual([resultCount, results[0].averageUserRating, results[0].userRatingCount], [1, 4.83076, 120])
  assert.equal(
    read(get(worldWith(0), '/lookup?id=1,x')).errorMessage,
    'Invalid value(s) for key(s): [itunesId]',
  )
  const french = read(get(worldWith(0), '/lookup?id=1&country=fr')).results[0]
  assert.deepEqual([french.averageUserRating, french.userRatingCount], [0, 0])
})

test('search finds apps by name', () => {
  assert.equal(
    read(get(worldWith(0), '/search?term=one+app&country=us&entity=software&limit=5')).resultCount,
    1,
  )
  assert.equal(read(get(worldWith(0), '/search?term=two&country=us')).resultCount, 0)
})

test('a review cannot close the script that contains the data of the page', () => {
  const world = worldWith(1)
  world.editReview(
    { store: 'apple', appId: '1', market: 'us', reviewId: '101' },
    { body: '</script>' },
    new Date(0),
  )
  const body = String(get(world, '/us/app/id1?see-all=reviews', BROWSER).body)
  const script = /<script type="application\/json" id="serialized-server-data">(.*?)<\/script>/.exec(body)
  assert.match(script?.[1] ?? '', /"\$kind":"Review".*"contents":"\\u003c\/script>"/)
  assert.equal(get(world, '/us/app/id2', BROWSER).status, 404)
})

test('a missing page has links but no reviews; an empty document has neither', () => {
  const world = worldWith(120)
  world.setFault({ store: 'apple', source: 'rss' }, { kind: 'hole', page: 2 })
  const second = read(get(world, FEED.replace('page=1', 'page=2'))).feed
  assert.equal('entry' in second, false)
  assert.match(JSON.stringify(second.link), /page=3/)
  assert.equal(read(get(world, FEED)).feed.entry.length, 50)
  world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' })
  const shell = read(get(world, FEED)).feed
  assert.equal('entry' in shell, false)
  assert.match(JSON.stringify(shell.link), /"rel":"last","href":""/)
})

test('a lookup has the faults of each of its apps', () => {
  const world = worldWith(0)
  world.addApp({ store: 'apple', appId: '2', name: 'Two', developer: 'Example Ltd', iconUrl: null })
  world.setRating({ store: 'apple', appId: '2', storefront: 'us' }, { average: '3', count: 4 })
  world.setFault({ store: 'apple', appId: '1' }, { kind: 'zero_rating' })
  world.setFault({ store: 'apple', appId: '2' }, { kind: 'gone' })
  const { results } = read(get(world, '/lookup?id=1,2'))
  assert.deepEqual(
    results.map((one: { trackId: number; userRatingCount: number }) => [one.trackId, one.userRatingCount]),
    [[1, 0]],
  )
  world.setFault({ store: 'apple', source: 'lookup' }, { kind: 'status', status: 403, retryAfterSeconds: 60 })
  const blocked = get(world, '/lookup?id=1,2')
  assert.deepEqual([blocked.status, blocked.headers['retry-after']], [403, '60'])
})

test('answers tell the server to delay or drop them, and every request is logged with its time', () => {
  const world = worldWith(1)
  world.setFault({ store: 'apple', times: 1 }, { kind: 'drop' })
  assert.equal(get(world, FEED).drop, true)
  world.setFault({ store: 'apple', times: 1 }, { kind: 'slow', delayMs: 250 })
  const slow = get(world, FEED)
  assert.equal(slow.delayMs, 250)
  assert.ok(read(slow).feed.entry)
  assert.deepEqual(
    world
      .requests('apple')
      .map(({ source, appIds, market, page, status }) => [source, appIds, market, page, status]),
    [
      ['rss', ['1'], 'us', 1, null],
      ['rss', ['1'], 'us', 1, 200],
    ],
  )
  assert.equal(world.requests('apple')[0]?.at.toISOString(), '2026-02-01T00:00:00.000Z')
  assert.equal(get(world, '/nowhere').status, 404)
})
