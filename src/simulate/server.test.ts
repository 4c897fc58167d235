import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppStoreConnect } from '../pipeline/appstores/appstoreconnect/appstoreconnect.ts'
import { createGoogle } from '../pipeline/appstores/google/google.ts'
import type { AppStoreConnectCredentials } from '../pipeline/appstores/official.ts'
import { systemClock } from '../runtime/clock.ts'
import { openEgress } from '../runtime/egress/open.ts'
import { silentLog } from '../runtime/log.ts'
import { startSimulation } from './server.ts'
import { createWorld } from './world.ts'

const proceed = () => Promise.resolve(true)

test('a store client reads published reviews over HTTP', async () => {
  await using play = await simulation()
  const { google, post } = play
  const appId = 'com.example.atlas'
  const app = { store: 'google', app_id: appId }
  await post('app', { ...app, name: 'Atlas' })
  const { id } = await post('review', {
    ...app,
    market: 'pt',
    rating: 2,
    body: 'Não abre mais',
    author: 'Ana',
  })
  await post('edit', { ...app, market: 'pt', review_id: id, rating: 4 })
  await post('rating', { ...app, storefront: 'br', average: '4.35', count: 200 })

  const signal = AbortSignal.timeout(60_000)
  const page = await google.reviewsPage({ appId, market: 'pt', cursor: null }, proceed, signal)
  assert.ok(page.kind === 'ok', JSON.stringify(page))
  assert.deepEqual(
    page.reviews.map(({ reviewId, rating, body, author, edited }) => ({
      reviewId,
      rating,
      body,
      author,
      edited,
    })),
    [{ reviewId: id, rating: 4, body: 'Não abre mais', author: 'Ana', edited: true }],
  )
  const ratings = await google.ratings({ appIds: [appId], storefront: 'br' }, proceed, signal)
  const rating = ratings.get(appId)
  assert.deepEqual(rating?.kind === 'ok' ? rating.rating : rating, { micros: 4_350_000, count: 200 })

  await post('rating', { ...app, storefront: 'br', average: null, count: null })
  const unrated = await google.ratings({ appIds: [appId], storefront: 'br' }, proceed, signal)
  assert.equal(unrated.get(appId)?.kind, 'empty')
})

test('faults can be set and cleared, and the log has every request', async () => {
  await using play = await simulation()
  const { google, post, get } = play
  const appId = 'com.example.atlas'
  await post('app', { store: 'google', app_id: appId, name: 'Atlas' })
  const signal = AbortSignal.timeout(60_000)
  const kindOf = async () => (await google.app({ appId, storefront: 'us' }, proceed, signal)).kind
  await post('fault', {
    store: 'google',
    times: 1,
    fault: { kind: 'status', status: 429, retry_after_seconds: 3 },
  })
  assert.equal(await kindOf(), 'blocked')
  assert.equal(await kindOf(), 'ok')
  await post('fault', { store: 'google', app_id: appId, fault: { kind: 'drop' } })
  assert.equal(await kindOf(), 'unknown')
  await post('clear_faults', {})
  await post('fault', { store: 'google', times: 1, fault: { kind: 'slow', delay_ms: 20 } })
  assert.equal(await kindOf(), 'ok')
  const { requests } = await get<{
    requests: { source: string; status: number | null; app_ids: string[] }[]
  }>('log?store=google')
  assert.ok(requests.every((one) => one.source === 'details' && one.app_ids[0] === appId))
  // A client may retry once when the server closes a kept connection.
  const statuses = requests.map((one) => one.status).filter((status, index, all) => status !== all[index - 1])
  assert.deepEqual(statuses, [429, 200, null, 200])
})

test('invalid input is rejected with the reason', async () => {
  await using play = await simulation()
  const requests: [string, string, number, RegExp][] = [
    ['review', 'nonsense', 400, /not JSON/],
    ['review', '{"store":"amazon"}', 400, /apple.*google/s],
    ['review', '{"store":"apple","app_id":"1","market":"us","rating":6,"body":""}', 400, /rating/],
    [
      'review',
      '{"store":"apple","app_id":"1","market":"us","rating":5,"body":""}',
      400,
      /no app 1 in apple.*add it/,
    ],
    ['edit', '{"store":"apple","app_id":"1","market":"us","review_id":"9"}', 400, /no review 9/],
    ['rating', '{"store":"apple","app_id":"1","storefront":"xx","average":4,"count":1}', 400, /storefront/],
    ['fault', '{"store":"apple","fault":{"kind":"rain"}}', 400, /kind/],
    ['reply', '{"store":"apple","app_id":"1","review_id":"9","text":"x"}', 400, /no review 9 of apple 1/],
    ['settings', '{"agreement":true}', 400, /agreement/],
    ['nothing', '{}', 404, /POST \/simulate\/nothing/],
    ['review', 'x'.repeat(2 * 1024 * 1024), 413, /^$/],
  ]
  for (const [name, body, status, text] of requests) {
    const response = await play.raw(`/simulate/${name}`, { method: 'POST', body })
    assert.equal(response.status, status, name)
    assert.match(await response.text(), text)
  }
  assert.equal((await play.raw('/simulate/review')).status, 405)
})

test('the keys, answers and settings of the official APIs can be controlled', async () => {
  await using play = await simulation()
  const appId = '100200300'
  await play.post('app', { store: 'apple', app_id: appId, name: 'Atlas' })
  const { id } = await play.post('review', {
    store: 'apple',
    app_id: appId,
    market: 'us',
    rating: 1,
    body: 'x',
  })
  const key = await play.post('connect', { store: 'apple', individual: true })
  const credentials: AppStoreConnectCredentials = {
    kind: 'appstoreconnect',
    issuerId: key.issuer_id,
    keyId: key.key_id,
    privateKey: key.private_key,
  }
  await using egress = openEgress({ guard: null, userAgent: 'review-radar/test' })
  const apple = createAppStoreConnect({ egress, clock: systemClock, baseUrl: play.appleUrl })
  const context = { pace: async () => true, signal: new AbortController().signal }
  const answer = async () => {
    const page = await apple.reviewsPage({ credentials, appId, cursor: null }, context)
    return page.kind === 'failed' ? page.reason : (page.reviews[0]?.reply?.text ?? null)
  }
  assert.deepEqual([credentials.issuerId, await answer()], [null, null])
  await play.post('reply', { store: 'apple', app_id: appId, review_id: id, text: 'Thanks' })
  assert.equal(await answer(), 'Thanks')
  await play.post('reply', { store: 'apple', app_id: appId, review_id: id, text: null })
  assert.equal(await answer(), null)
  await play.post('settings', { clock_skew_ms: -3_600_000 })
  assert.equal(await answer(), 'clock_skew')
  await play.post('settings', { clock_skew_ms: 0, agreement_signed: false })
  assert.equal(await answer(), 'agreement_missing')
  await play.post('settings', { agreement_signed: true })
  await play.post('revoke', { store: 'apple', key: credentials.keyId })
  assert.equal(await answer(), 'unauthorized')
  const { service_account: account } = await play.post('connect', { store: 'google', api_enabled: false })
  assert.match(JSON.stringify(account), /"type":"service_account"/)
})

test('both servers share one world, compress on request, and close when disposed', async () => {
  const play = await simulation()
  await play.post('app', { store: 'apple', app_id: '100200300', name: 'Atlas', developer: 'Works' })
  await play.post('rating', {
    store: 'apple',
    app_id: '100200300',
    storefront: 'us',
    average: '4.5',
    count: 10,
  })
  const lookup = await fetch(`${play.appleUrl}/lookup?id=100200300&country=us`)
  assert.match(await lookup.text(), /"averageUserRating":\s*4\.5/)
  const { apps } = await play.get<{ apps: { name: string }[] }>('')
  assert.equal(apps[0]?.name, 'Atlas')

  await play.post('app', { store: 'google', app_id: 'com.example.atlas', name: 'Atlas' })
  const url = `${play.googleUrl}/store/apps/details?id=com.example.atlas`
  const zipped = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  assert.equal(zipped.headers.get('content-encoding'), 'gzip')
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(await zipped.text(), await plain.text())

  await play[Symbol.asyncDispose]()
  await assert.rejects(fetch(url))
})

test('a port in use is an error, and no server stays open', async () => {
  await using play = await simulation()
  const port = Number(new URL(play.googleUrl).port)
  const options = { host: '127.0.0.1', world: createWorld(), clock: systemClock, log: silentLog }
  await assert.rejects(startSimulation({ ...options, port }), /EADDRINUSE/)

  const error = await startSimulation({ ...options, port: port - 1 }).catch((reason: unknown) =>
    String(reason),
  )
  assert.match(String(error), /EADDRINUSE/)
  // Unless another process uses the lower port, this server opened it first and closes it again.
  if (String(error).includes(`:${port}`))
    await assert.rejects(fetch(`http://127.0.0.1:${port - 1}/simulate/`))
})

test('stopping the servers aborts a slow answer', async () => {
  const world = createWorld()
  const slept = Promise.withResolvers<AbortSignal | undefined>()
  const clock = {
    ...systemClock,
    sleep: (_ms: number, signal?: AbortSignal) => {
      slept.resolve(signal)
      return new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    },
  }
  const stores = await startSimulation({ host: '127.0.0.1', world, clock, log: silentLog })
  world.setFault({ store: 'google' }, { kind: 'slow', delayMs: 600_000 })
  const request = fetch(`${stores.googleUrl}/store/search?q=x`)
  const signal = await slept.promise
  await Promise.all([assert.rejects(request), stores[Symbol.asyncDispose]()])
  assert.equal(signal?.aborted, true)
})

async function simulation() {
  const world = createWorld()
  const stores = await startSimulation({ host: '127.0.0.1', world, clock: systemClock, log: silentLog })
  const egress = openEgress({ guard: null, userAgent: 'test' })
  const raw = (path: string, init: RequestInit = {}) => fetch(stores.googleUrl + path, init)
  return {
    ...stores,
    google: createGoogle({ egress, playUrl: stores.googleUrl }),
    raw,
    post: async (name: string, body: unknown) => {
      const response = await raw(`/simulate/${name}`, { method: 'POST', body: JSON.stringify(body) })
      const text = await response.text()
      assert.equal(response.status, 200, text)
      return JSON.parse(text)
    },
    get: async <T>(name: string) => (await (await raw(`/simulate/${name}`)).json()) as T,
    [Symbol.asyncDispose]: async () => {
      await egress[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
}
