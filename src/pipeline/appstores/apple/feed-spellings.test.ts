import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APP, addApp, addReviews, startSimulatedApple } from '../../../../test/support/simulated-apple.ts'
import type { SimulatedAnswer } from '../../../simulate/answer.ts'
import { feedPath } from './feed-spellings.ts'
import { FEED_SPELLINGS } from './known-formats.ts'

const never = new AbortController().signal
const LINK = { attributes: { rel: 'last', href: '' } }
const SHELL: SimulatedAnswer = {
  status: 200,
  headers: {},
  body: JSON.stringify({ feed: { link: [LINK] } }),
}

/** A cache keeps an empty page for the addresses that `isCached` matches. */
async function startWithCache(isCached: (url: string) => boolean) {
  const urls: string[] = []
  const apple = await startSimulatedApple(({ url }) => {
    urls.push(url)
    return isCached(url) ? SHELL : null
  })
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 60)
  return {
    urls,
    poll: async () => {
      const before = urls.length
      const page = await apple.store.reviewsPage(
        { appId: APP, market: 'us', cursor: null },
        apple.pace,
        never,
      )
      return { source: page.kind === 'ok' ? page.source : page.kind, urls: urls.slice(before) }
    },
    [Symbol.asyncDispose]: () => apple[Symbol.asyncDispose](),
  }
}

test('an empty page is requested again at another address, which is remembered', async () => {
  const usual = `/us/rss/customerreviews/page=1/id=${APP}/sortby=mostrecent/`
  await using cache = await startWithCache((url) => url.startsWith(usual))
  const first = await cache.poll()
  assert.equal(first.source, 'rss_xml')
  assert.deepEqual(first.urls.length, 2)
  assert.match(first.urls[1] ?? '', /\/id=\d+\/sortBy=mostRecent\/page=1\/xml\?r=[0-9a-f]{12}$/)

  const second = await cache.poll()
  assert.equal(second.source, 'rss')
  assert.match(second.urls.join(), /^\/us\/rss\/customerreviews\/id=\d+\/sortBy=mostRecent\/page=1\/json\?r=/)
  assert.notEqual(second.urls[0], (await cache.poll()).urls[0], 'the parameter is random')
})

test('an address is not repeated while the feed is empty, and the usual one is tried again after all others', async () => {
  await using cache = await startWithCache((url) => url.includes('/rss/customerreviews/'))
  const asked: string[] = []
  for (let poll = 0; poll < 4; poll += 1) {
    const { source, urls } = await cache.poll()
    assert.equal(source, 'web')
    asked.push(...urls.filter((url) => url.includes('/rss/')))
  }
  assert.equal(asked.length, 8, 'a poll asks the feed at most twice')
  const usual = asked.filter((url) => url.includes('/sortby=mostrecent/') && !url.includes('?'))
  assert.equal(usual.length, asked.length / FEED_SPELLINGS.length)
  assert.equal(new Set(asked.filter((url) => url.includes('?'))).size, asked.length - usual.length)
})

test('an app with reviews at the usual address has the same address at every poll', async () => {
  await using cache = await startWithCache(() => false)
  assert.deepEqual((await cache.poll()).urls, (await cache.poll()).urls)
})

test('every spelling names app, storefront and page, and the simulated store takes each', async () => {
  const listing = { appId: APP, storefront: 'de', position: 50 }
  for (const [spelling] of FEED_SPELLINGS.entries()) {
    const path = feedPath(listing, 'json', spelling)
    for (const part of [`id=${APP}`, 'page=2', 'json']) assert.ok(path.includes(part), path)
    assert.match(path, /^\/de\/|[?&]cc=de\b/)
    assert.doesNotMatch(path, /[{}]/)
    await using apple = await startSimulatedApple()
    addReviews(apple.world, APP, 'de', 60)
    const response = await fetch(apple.url + path)
    const body = (await response.json()) as { feed: { entry: unknown[] } }
    assert.equal(body.feed.entry.length, 10)
  }
})
