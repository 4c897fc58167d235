import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pace } from '../../pipeline/appstores/appstore.ts'
import { createGoogle } from '../../pipeline/appstores/google/google.ts'
import type { Egress, EgressAnswer } from '../../runtime/egress/egress.ts'
import type { Fault, FaultScope } from '../fault.ts'
import { createWorld } from '../world.ts'
import { handleGoogle } from './google.ts'

const appId = 'com.example.atlas'
const proceed: Pace = () => Promise.resolve(true)
const { signal } = new AbortController()

test('every review of a language is shown once, newest first, over all pages', async () => {
  const { world, google } = play()
  for (let number = 1; number <= 401; number += 1) addReview(world, number)
  const { reviews, pages } = await readAll(google)
  assert.equal(pages, 3)
  assert.deepEqual(
    reviews.map((review) => review.reviewId),
    Array.from({ length: 401 }, (_, index) => `id-${401 - index}`),
  )
  const other = await google.reviewsPage({ appId, market: 'de', cursor: null }, proceed, signal)
  assert.deepEqual(other, { kind: 'empty', source: 'UsvDTd' })
})

test('new and edited reviews between page requests do not hide other reviews', async () => {
  const { world, google } = play()
  for (let number = 1; number <= 320; number += 1) addReview(world, number)
  const { reviews } = await readAll(google, (page) => {
    addReview(world, 1000 + page)
    world.editReview(
      { ...place, reviewId: `id-${321 - 150 * page}` },
      { body: 'Changed my mind' },
      new Date(Date.UTC(2027, 0, page)),
    )
  })
  const ids = new Set(reviews.map((review) => review.reviewId))
  for (let number = 1; number <= 320; number += 1) assert.ok(ids.has(`id-${number}`), `id-${number}`)
})

test('the client reads reviews unchanged, and edited ones with their mark and first date', async () => {
  const { world, google } = play()
  world.addReview(place, {
    id: 'a',
    rating: 2,
    title: 'Hm',
    body: 'Zeile 1\nLinie 2 😀 "quoted" </script>',
    author: 'Mira Tal',
    version: '1.2',
    publishedAt: new Date('2026-07-01T10:00:00.077Z'),
  })
  world.addReview(place, {
    id: 'b',
    rating: 5,
    title: null,
    body: '',
    author: null,
    version: null,
    publishedAt: new Date('2026-07-02T10:00:00Z'),
  })
  world.editReview(
    { ...place, reviewId: 'a' },
    { rating: 1, body: 'Worse' },
    new Date('2026-07-03T10:00:00Z'),
  )
  world.editReview({ ...place, reviewId: 'a' }, { rating: 3 }, new Date('2026-07-04T10:00:00Z'))
  const { reviews } = await readAll(google)
  assert.deepEqual(reviews, [
    {
      reviewId: 'a',
      rating: 3,
      title: 'Hm',
      body: 'Worse',
      author: 'Mira Tal',
      appVersion: '1.2',
      shownAt: new Date('2026-07-04T10:00:00Z'),
      edited: true,
      publicReply: null,
    },
    {
      reviewId: 'b',
      rating: 5,
      title: null,
      body: '',
      author: null,
      appVersion: null,
      shownAt: new Date('2026-07-02T10:00:00Z'),
      edited: false,
      publicReply: null,
    },
  ])
  const first = (reviewId: string) =>
    google.firstPublishedAt({ appId, market: 'en', reviewId }, proceed, signal)
  assert.deepEqual(await first('a'), new Date('2026-07-01T10:00:00.077Z'))
  assert.deepEqual(await first('b'), new Date('2026-07-02T10:00:00Z'))
  assert.equal(await first('nobody'), null)
})

test('ratings, apps and search show the data of the world', async () => {
  const { world, google } = play()
  world.setRating(
    { store: 'google', appId, storefront: 'us' },
    { average: '4.315863132476807', count: 5_715_302 },
  )
  world.addApp({
    store: 'google',
    appId: 'com.example.two',
    name: 'Atlas Two',
    developer: 'Works',
    iconUrl: null,
  })
  const rating = async (storefront: 'us' | 'se') =>
    (await google.ratings({ appIds: [appId], storefront }, proceed, signal)).get(appId)
  const rated = await rating('us')
  assert.deepEqual(rated?.kind === 'ok' ? rated.rating : rated, { micros: 4_315_863, count: 5_715_302 })
  assert.equal((await rating('se'))?.kind, 'empty')

  const search = async (term: string) => {
    const found = await google.search({ term, storefront: 'us', limit: 9 }, proceed, signal)
    return found.kind === 'ok' ? found.apps.map((app) => app.name) : found.kind
  }
  assert.deepEqual(await search('atlas'), ['Atlas', 'Atlas Two'])
  assert.deepEqual(await search('two'), ['Atlas Two'])
  assert.deepEqual(await search('nothing like it'), [])
  const gone = await google.app({ appId: 'com.example.none', storefront: 'us' }, proceed, signal)
  assert.equal(gone.kind, 'gone')
})

const reviewFaults: [Fault, Partial<FaultScope>, string][] = [
  [{ kind: 'status', status: 429, retryAfterSeconds: 7 }, {}, 'blocked'],
  [{ kind: 'status', status: 503 }, {}, 'blocked'],
  [{ kind: 'status', status: 302 }, {}, 'blocked'],
  [{ kind: 'status', status: 500 }, {}, 'unknown'],
  [{ kind: 'captcha' }, {}, 'blocked'],
  [{ kind: 'html' }, {}, 'changed'],
  [{ kind: 'changed' }, {}, 'changed'],
  [{ kind: 'null_payload' }, {}, 'unknown'],
  [{ kind: 'gateway_error' }, {}, 'unknown'],
  [{ kind: 'null_payload' }, { source: 'UsvDTd' }, 'ok'],
  [{ kind: 'changed' }, { source: 'UsvDTd' }, 'ok'],
  [{ kind: 'transient_empty' }, {}, 'unknown'],
  [{ kind: 'transient_empty' }, { times: 2 }, 'ok'],
  [{ kind: 'hole', page: 1 }, {}, 'ok'],
  [{ kind: 'empty_shell' }, { source: 'batchexecute' }, 'empty'],
  [{ kind: 'gone' }, {}, 'gone'],
  [{ kind: 'drop' }, {}, 'unknown'],
  [{ kind: 'slow', delayMs: 5 }, {}, 'ok'],
]
for (const [fault, scope, expected] of reviewFaults) {
  test(`reviews under ${JSON.stringify(fault)} ${JSON.stringify(scope)} are ${expected}`, async () => {
    const { world, google } = play()
    addReview(world, 1)
    world.setFault({ store: 'google', ...scope }, fault)
    const answer = await google.reviewsPage({ appId, market: 'en', cursor: null }, proceed, signal)
    assert.equal(answer.kind, expected, JSON.stringify(answer))
    if (expected === 'blocked' && fault.kind === 'status' && fault.retryAfterSeconds !== undefined) {
      assert.equal(answer.kind === 'blocked' ? answer.retryAfterMs : null, 7000)
    }
    world.clearFaults()
    assert.equal(
      (await google.reviewsPage({ appId, market: 'en', cursor: null }, proceed, signal)).kind,
      'ok',
    )
  })
}

const ratingFaults: [Fault, string][] = [
  [{ kind: 'zero_rating' }, 'empty'],
  [{ kind: 'changed' }, 'changed'],
  [{ kind: 'html' }, 'changed'],
  [{ kind: 'captcha' }, 'blocked'],
  [{ kind: 'gone' }, 'gone'],
  [{ kind: 'status', status: 403 }, 'blocked'],
  [{ kind: 'drop' }, 'unknown'],
]
for (const [fault, expected] of ratingFaults) {
  test(`a rating under ${fault.kind} is ${expected}`, async () => {
    const { world, google } = play()
    world.setRating({ store: 'google', appId, storefront: 'us' }, { average: '4.4', count: 10 })
    world.setFault({ store: 'google', source: 'details' }, fault)
    const answers = await google.ratings({ appIds: [appId], storefront: 'us' }, proceed, signal)
    assert.equal(answers.get(appId)?.kind, expected)
  })
}

test('a search with a changed format is changed', async () => {
  const { world, google } = play()
  world.setFault({ store: 'google', source: 'search' }, { kind: 'changed' })
  const found = await google.search({ term: 'atlas', storefront: 'us', limit: 5 }, proceed, signal)
  assert.equal(found.kind, 'changed')
})

test('the log has the source, app, market and page of each request', async () => {
  const { world, google } = play()
  addReview(world, 1)
  await google.reviewsPage({ appId, market: 'en', cursor: null }, proceed, signal)
  await google.firstPublishedAt({ appId, market: 'en', reviewId: 'id-1' }, proceed, signal)
  await google.app({ appId, storefront: 'br' }, proceed, signal)
  await google.search({ term: 'x', storefront: 'jp', limit: 5 }, proceed, signal)
  assert.deepEqual(
    world
      .requests('google')
      .map(({ source, appIds, market, page, status }) => [source, ...appIds, market, page, status]),
    [
      ['batchexecute', appId, 'en', 1, 200],
      ['history', appId, 'en', null, 200],
      ['details', appId, 'br', null, 200],
      ['search', 'jp', null, 200],
    ],
  )
})

test('without its filters, the second RPC is not newest first', () => {
  const { world } = play()
  for (let number = 8; number <= 12; number += 1) addReview(world, number)
  const rowsOf = (device: unknown) => {
    const request = [null, [2, 2, [150, null, null], null, device], [appId, 7]]
    const body = `f.req=${encodeURIComponent(JSON.stringify([[['oCPfdb', JSON.stringify(request)]]]))}`
    const url = '/_/PlayStoreUi/data/batchexecute?hl=en&gl=us'
    return [
      ...String(
        handleGoogle(world, { method: 'POST', url, headers: {}, body, at: new Date(0) }).body,
      ).matchAll(/id-\d+/g),
    ].map(String)
  }
  const newest = ['id-12', 'id-11', 'id-10', 'id-9', 'id-8']
  for (const device of [null, 2])
    assert.deepEqual(rowsOf([null, null, null, null, null, null, null, null, device]), newest)
  assert.notDeepEqual(rowsOf(null), newest)
})

test('an unknown request is rejected, and answers can be in chunks', () => {
  const { world } = play()
  const send = (method: string, url: string, body = '') =>
    handleGoogle(world, { method, url, headers: {}, body, at: new Date(0) })
  const rpc = '/_/PlayStoreUi/data/batchexecute?hl=en&gl=us'
  assert.equal(send('POST', rpc, 'f.req=nonsense').status, 400)
  assert.equal(
    send('POST', rpc, `f.req=${encodeURIComponent('[[["Other","[]",null,"generic"]]]')}`).status,
    400,
  )
  assert.equal(send('GET', '/store/elsewhere').status, 404)
  assert.equal(send('GET', '/store/apps/details').status, 404)
  const call = [
    [['UsvDTd', JSON.stringify([null, null, [2, 2, [150, null, 'no token'], null, []], [appId, 7]])]],
  ]
  const form = `f.req=${encodeURIComponent(JSON.stringify(call))}`
  assert.match(String(send('POST', rpc, form).body), /"UsvDTd",null,null,null,\[3\]/)
  assert.match(String(send('POST', `${rpc}&rt=c`, form).body), /^\)\]\}'\n\n\d+\n\[\[/)
})

const place = { store: 'google', appId, market: 'en' } as const

function play() {
  const world = createWorld()
  world.addApp({ store: 'google', appId, name: 'Atlas', developer: 'Example Works', iconUrl: null })
  return { world, google: createGoogle({ egress: directEgress(world), playUrl: 'http://play.test' }) }
}

function addReview(world: ReturnType<typeof createWorld>, number: number) {
  world.addReview(place, {
    id: `id-${number}`,
    rating: 1 + (number % 5),
    title: null,
    body: `Review ${number}`,
    author: 'Mira Tal',
    version: null,
    publishedAt: new Date(Date.UTC(2026, 0, 1, 0, number)),
  })
}

async function readAll(google: ReturnType<typeof createGoogle>, between: (page: number) => void = () => {}) {
  const reviews = []
  let cursor: string | null = null
  for (let pages = 1; ; pages += 1) {
    const page = await google.reviewsPage({ appId, market: 'en', cursor }, proceed, signal)
    assert.equal(page.kind, 'ok')
    if (page.kind !== 'ok') throw new Error('unreachable')
    reviews.push(...page.reviews)
    if (page.next === null) return { reviews, pages }
    cursor = page.next
    between(pages)
  }
}

/** Passes requests to the simulation without a network. */
function directEgress(world: ReturnType<typeof createWorld>): Egress {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 0, totalMs: 0 }
  return {
    request: ({ method, url, headers, body }) => {
      const at = new Date('2026-07-10T00:00:00Z')
      const answer = handleGoogle(world, { method, url, headers, body: String(body ?? ''), at })
      const common = { remoteAddress: null, timings }
      const result: EgressAnswer =
        answer.drop === true
          ? { ...common, kind: 'failed', reason: 'reset', detail: 'closed', status: null }
          : {
              ...common,
              kind: 'answered',
              status: answer.status,
              headers: answer.headers,
              body: Buffer.from(answer.body as string),
              truncated: false,
            }
      return Promise.resolve(result)
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}
