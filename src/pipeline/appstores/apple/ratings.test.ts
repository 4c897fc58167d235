import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  APP,
  addApp,
  type SimulatedApple,
  startSimulatedApple,
} from '../../../../test/support/simulated-apple.ts'
import type { SimulatedAnswer } from '../../../simulate/answer.ts'

const never = new AbortController().signal

function rate(apple: SimulatedApple, appIds: readonly string[]) {
  return apple.store.ratings({ appIds, storefront: 'us' }, apple.pace, never)
}

function rated(apple: SimulatedApple, appId: string, average: string, count: number): void {
  addApp(apple.world, appId)
  apple.world.setRating({ store: 'apple', appId, storefront: 'us' }, { average, count })
}

const lookupOf = (...results: unknown[]): SimulatedAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/javascript; charset=utf-8' },
  body: `\n\n\n${JSON.stringify({ resultCount: results.length, results })}\n`,
})
const known = { wrapperType: 'software', trackId: 5, trackName: 'Five' }

test('one lookup returns many apps, each with its exact rating', async () => {
  await using apple = await startSimulatedApple()
  rated(apple, '101', '4.83076', 1234)
  const known = apple.world.app({ store: 'apple', appId: '101' })
  assert.ok(known)
  apple.world.addApp({
    ...known,
    release: { version: '5.1', releasedAt: new Date('2026-02-03T04:05:06.789Z') },
  })
  rated(apple, '102', '4.5', 1)
  const answers = await rate(apple, ['101', '102', '103'])
  assert.deepEqual(answers.get('101'), {
    kind: 'ok',
    source: 'lookup',
    rating: { micros: 4_830_760, count: 1234 },
    app: {
      store: 'apple',
      appId: '101',
      name: 'App 101',
      developer: 'Example Ltd',
      iconUrl: 'https://icons.example/a.png',
      rating: { micros: 4_830_760, count: 1234 },
      release: { version: '5.1', releasedAt: new Date('2026-02-03T04:05:06Z') },
    },
  })
  const second = answers.get('102')
  assert.ok(second?.kind === 'ok')
  assert.deepEqual(second.rating, { micros: 4_500_000, count: 1 })
  assert.equal(answers.get('103')?.kind, 'gone')
  assert.equal(apple.permits(), 1)
})

test('one lookup has at most 200 apps; more throw a RangeError', async () => {
  await using apple = await startSimulatedApple()
  const appIds = Array.from({ length: 201 }, (_, index) => String(1001 + index))
  for (const appId of appIds) rated(apple, appId, '3.5', 9)
  const answers = await rate(apple, appIds.slice(0, apple.store.ratingBatchMax))
  assert.equal(answers.size, 200)
  assert.ok([...answers.values()].every((answer) => answer.kind === 'ok'))
  assert.equal(apple.permits(), 1)
  await assert.rejects(rate(apple, appIds), RangeError)
})

test('every lookup has a different URL, since Apple caches answers for a day', async () => {
  await using apple = await startSimulatedApple()
  await rate(apple, ['101'])
  await rate(apple, ['101'])
  const [first, second] = apple.world.requests('apple')
  assert.notEqual(first?.url, second?.url)
})

test('an id that is not a number is left out of the lookup', async () => {
  await using apple = await startSimulatedApple()
  rated(apple, '101', '4.5', 10)
  const answers = await rate(apple, ['com.example', '101', '', '1&country=fr'])
  assert.equal(answers.get('101')?.kind, 'ok')
  for (const appId of ['com.example', '', '1&country=fr']) assert.equal(answers.get(appId)?.kind, 'gone')
  assert.equal((await rate(apple, ['x'])).get('x')?.kind, 'gone')
  assert.equal(apple.permits(), 1)
})

test('an id that Apple rejects does not affect the others', async () => {
  await using apple = await startSimulatedApple((request) =>
    /[=,]13[,&]/.test(request.url)
      ? { status: 400, headers: {}, body: '{"errorMessage":"Invalid value(s) for key(s): [itunesId]"}' }
      : null,
  )
  const appIds = Array.from({ length: 100 }, (_, index) => String(index + 1))
  for (const appId of appIds) rated(apple, appId, '4', 2)
  const answers = await rate(apple, appIds)
  assert.deepEqual(
    [...answers].filter(([, answer]) => answer.kind !== 'ok').map(([appId, answer]) => [appId, answer.kind]),
    [['13', 'gone']],
  )
})

test('a store that rejects every id gets at most 20 lookups', async () => {
  await using apple = await startSimulatedApple(() => ({
    status: 400,
    headers: {},
    body: '{"errorMessage":"No"}',
  }))
  const appIds = Array.from({ length: 100 }, (_, index) => String(index + 1))
  const answers = await rate(apple, appIds)
  assert.equal(answers.size, 100)
  assert.ok([...answers.values()].every((answer) => answer.kind === 'gone' || answer.kind === 'unknown'))
  assert.equal(apple.permits(), 20)
})

test('0 stars of 0 ratings are no rating and do not affect other apps', async () => {
  await using apple = await startSimulatedApple()
  rated(apple, '101', '4.5', 10)
  addApp(apple.world, '102')
  const answers = await rate(apple, ['101', '102'])
  assert.equal(answers.get('101')?.kind, 'ok')
  assert.equal(answers.get('102')?.kind, 'empty')
  apple.world.setFault({ store: 'apple', source: 'lookup', appId: '101' }, { kind: 'zero_rating' })
  assert.equal((await rate(apple, ['101', '102'])).get('101')?.kind, 'empty')
})

for (const [what, fields] of [
  ['a text', { averageUserRating: '4.5', userRatingCount: 3 }],
  ['six stars', { averageUserRating: 6, userRatingCount: 3 }],
  ['half a rating', { averageUserRating: 4, userRatingCount: 2.5 }],
  ['no count', { averageUserRating: 4 }],
] as const) {
  test(`a rating of ${what} is a changed format with its raw answer`, async () => {
    await using apple = await startSimulatedApple(() => lookupOf({ ...known, ...fields }))
    const answer = (await rate(apple, ['5'])).get('5')
    assert.ok(answer?.kind === 'changed')
    assert.match(answer.raw ?? '', /"trackName":"Five"/)
  })
}

test('an app without rating fields is not rated; a song with that id is not an app', async () => {
  for (const fields of [{}, { averageUserRating: null, userRatingCount: null }]) {
    await using unrated = await startSimulatedApple(() => lookupOf({ ...known, ...fields }))
    const answer = (await rate(unrated, ['5'])).get('5')
    assert.deepEqual([answer?.kind, answer?.kind === 'empty' ? answer.app?.name : null], ['empty', 'Five'])
  }
  await using song = await startSimulatedApple(() => lookupOf({ ...known, wrapperType: 'track' }))
  assert.equal((await rate(song, ['5'])).get('5')?.kind, 'gone')
})

test('a failed lookup fails all of its apps and is not repeated', async () => {
  await using apple = await startSimulatedApple()
  const faults = [
    [{ kind: 'status', status: 403, retryAfterSeconds: 7 }, 'blocked'],
    [{ kind: 'status', status: 500 }, 'unknown'],
    [{ kind: 'drop' }, 'unknown'],
    [{ kind: 'html' }, 'blocked'],
    [{ kind: 'changed' }, 'changed'],
  ] as const
  for (const [fault, outcome] of faults) {
    apple.world.clearFaults()
    apple.world.setFault({ store: 'apple' }, fault)
    const before = apple.permits()
    const answers = await rate(apple, ['101', '102'])
    assert.deepEqual(
      [...answers.values()].map((answer) => answer.kind),
      [outcome, outcome],
    )
    assert.equal(apple.permits(), before + 1)
  }
})

test('a search returns apps by name with the fields that the console shows', async () => {
  await using apple = await startSimulatedApple()
  rated(apple, '101', '4.5', 10)
  addApp(apple.world, '202')
  const search = (term: string, limit = 10) =>
    apple.store.search({ term, storefront: 'us', limit }, apple.pace, never)
  const one = await search('app 101')
  assert.ok(one.kind === 'ok')
  assert.deepEqual(one.apps, [
    {
      store: 'apple',
      appId: '101',
      name: 'App 101',
      developer: 'Example Ltd',
      iconUrl: 'https://icons.example/a.png',
      rating: { micros: 4_500_000, count: 10 },
      release: null,
    },
  ])
  const limited = await search('example', 1)
  assert.ok(limited.kind === 'ok' && limited.apps.length === 1)
  assert.match(apple.world.requests('apple').at(-1)?.url ?? '', /term=example&/)
  await search('a&country=fr +50%')
  assert.equal(
    new URL(apple.world.requests('apple').at(-1)?.url ?? '', apple.url).searchParams.get('term'),
    'a&country=fr +50%',
  )
  assert.deepEqual(await search('nothing & like=this'), { kind: 'ok', apps: [] })
  const permits = apple.permits()
  assert.deepEqual(await search('  '), { kind: 'ok', apps: [] })
  assert.equal(apple.permits(), permits)
  apple.world.setFault({ store: 'apple' }, { kind: 'status', status: 403 })
  assert.equal((await search('app')).kind, 'blocked')
})

test('one app is found by its id, and gone if the storefront does not have it', async () => {
  await using apple = await startSimulatedApple()
  addApp(apple.world)
  const app = (appId: string) => apple.store.app({ appId, storefront: 'us' }, apple.pace, never)
  const found = await app(APP)
  assert.ok(found.kind === 'ok')
  assert.deepEqual(found.apps[0]?.name, `App ${APP}`)
  assert.equal(found.apps[0]?.rating, null)
  assert.equal((await app('123')).kind, 'gone')
  assert.equal((await app('abc')).kind, 'gone')
  apple.world.setFault({ store: 'apple' }, { kind: 'drop' })
  assert.equal((await app(APP)).kind, 'unknown')
})

test('the first publication of an edited review is unknown for Apple', async () => {
  await using apple = await startSimulatedApple()
  const query = { appId: APP, market: 'us', reviewId: '7' }
  assert.equal(await apple.store.firstPublishedAt(query, apple.pace, never), null)
})
