import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureStore, leasedFeed } from '../../../test/support/fixture-app-store.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { instantOf, later } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { HOUR, hookOf, NOON, subscribe } from '../../storage/conformance/samples.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import type { AppsAnswer } from '../appstores/appstore.ts'
import { createNameApp } from './name-app.ts'
import { createStorePace } from './pace.ts'
import { createUpsertApps } from './upsert-apps.ts'

const never = new AbortController().signal
const app = { store: 'google', appId: 'org.example.app' } as const
const named: AppsAnswer = {
  kind: 'ok',
  apps: [{ ...app, name: 'Example', developer: null, iconUrl: null, rating: null }],
}
const failure = (kind: 'unknown' | 'blocked' | 'gone' | 'changed', retryAfterMs = 0): AppsAnswer => ({
  kind,
  source: 'details',
  detail: 'Not now.',
  retryAfterMs,
})

/** An app with a review hook on real storage. The test controls time and the store's answers. */
async function openNaming(storefronts: readonly Storefront[] = ['us']) {
  let nowMs = NOON.getTime()
  const clock: Clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: systemClock.sleep }
  const storage = await openSqlite({ file: ':memory:', clock })
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  await subscribe(storage, hookOf(), { ...app, storefronts })
  const answers: AppsAnswer[] = []
  const requests: string[] = []
  const appStore = {
    ...fixtureStore('google'),
    app: async (...[query, pace, signal]: Parameters<ReturnType<typeof fixtureStore>['app']>) => {
      if (!(await pace(signal))) return failure('unknown')
      requests.push(query.storefront)
      return answers.shift() ?? assert.fail('no answer is left')
    },
  }
  const pace = createStorePace({ storage: storage.pace, clock, random: () => 0 }, 'google', 60_000)
  const upsertApps = createUpsertApps(storage, clock)
  const deps = { appStore, storage, pace, clock, log: silentLog, meter: silentMeter, upsertApps }
  const nameApp = createNameApp(deps)
  return {
    storage,
    answers,
    requests,
    pace,
    move: (ms: number) => (nowMs += ms),
    poll: (feed: Partial<LeasedFeed> = {}, signal = never) => nameApp(leasedFeed(feed), signal),
    name: async () => (await storage.hooks.watchedApps('alice'))[0]?.name,
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

test('an app with only review watches gets its name from one lookup', async () => {
  await using naming = await openNaming()
  naming.answers.push(named)
  await naming.poll()
  assert.equal(await naming.name(), 'Example')
  naming.move(48 * HOUR)
  await naming.poll()
  assert.deepEqual(naming.requests, ['us'])
})

test('concurrent polls of two markets cause one lookup', async () => {
  await using naming = await openNaming()
  naming.answers.push(named)
  await Promise.all([naming.poll({ market: 'de' }), naming.poll({ market: 'ja' })])
  assert.deepEqual(naming.requests, ['de'])
})

test('an app with a rating feed needs no lookup', async () => {
  await using naming = await openNaming()
  await naming.storage.hooks.trackStorefronts('alice', app, ['us'], NOON)
  await naming.poll()
  assert.deepEqual(naming.requests, [])
})

test('after an answer without a name the next lookup is a day later', async () => {
  for (const kind of ['unknown', 'changed'] as const) {
    await using naming = await openNaming()
    naming.answers.push(failure(kind), named)
    await naming.poll()
    naming.move(24 * HOUR - 1)
    await naming.poll()
    assert.deepEqual([naming.requests.length, await naming.name()], [1, null])
    naming.move(1)
    await naming.poll()
    assert.equal(await naming.name(), 'Example')
  }
})

test('an app is looked up in the countries of a language in which it is watched, each once a day', async () => {
  await using naming = await openNaming(['ie', 'in', 'mx'])
  naming.answers.push(...Array.from({ length: 2 }, () => failure('gone')))
  for (let poll = 1; poll <= 4; poll += 1) await naming.poll()
  assert.deepEqual(naming.requests, ['ie', 'in'])
  naming.move(24 * HOUR)
  naming.answers.push(named)
  await naming.poll()
  assert.equal(await naming.name(), 'Example')
})

test('a block backs off the whole store, and the lookup is made after the block', async () => {
  await using naming = await openNaming()
  naming.answers.push(failure('blocked', 2 * HOUR), named)
  await naming.poll({ appId: 'org.example.other' })
  assert.deepEqual(await naming.pace.blockedUntil(), later(NOON, 2 * HOUR))
  await naming.poll()
  assert.equal(naming.requests.length, 1)
  naming.move(2 * HOUR)
  await naming.poll()
  assert.equal(await naming.name(), 'Example')
})

test('a stop prevents the lookup, and the next poll makes it', async () => {
  await using naming = await openNaming()
  naming.answers.push(named)
  await naming.poll({}, AbortSignal.abort())
  assert.deepEqual(naming.requests, [])
  await naming.poll()
  assert.equal(await naming.name(), 'Example')
})

test('a failed lookup is retried at the next poll', async () => {
  await using naming = await openNaming()
  await assert.rejects(naming.poll(), /no answer is left/)
  naming.answers.push(named)
  await naming.poll()
  assert.equal(await naming.name(), 'Example')
})
