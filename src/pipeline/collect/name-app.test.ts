import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureStore, leasedFeed } from '../../../test/support/fixture-app-store.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { silentLog } from '../../runtime/log.ts'
import { silentMeter } from '../../runtime/meter.ts'
import { HOUR, hookOf, NOON, subscribe } from '../../storage/conformance/samples.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import type { AppsAnswer } from '../appstores/appstore.ts'
import { createNameApp } from './name-app.ts'
import { createNoteApps } from './note-apps.ts'
import { createStorePace } from './pace.ts'

const never = new AbortController().signal
const app = { store: 'google', appId: 'org.example.app' } as const
const named: AppsAnswer = {
  kind: 'ok',
  apps: [{ ...app, name: 'Example', developer: null, iconUrl: null, rating: null }],
}
const trouble = (kind: 'unknown' | 'blocked' | 'gone' | 'changed', retryAfterMs = 0): AppsAnswer => ({
  kind,
  source: 'details',
  detail: 'Not now.',
  retryAfterMs,
})

/** A review hook's app on real storage, with time and the store's answers in the test's hands. */
async function openNaming() {
  let nowMs = NOON.getTime()
  const clock: Clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs, sleep: systemClock.sleep }
  const storage = await openSqlite({ file: ':memory:', clock })
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  await subscribe(storage, hookOf(), app)
  const answers: AppsAnswer[] = []
  const asked: string[] = []
  const appStore = {
    ...fixtureStore('google'),
    app: async (...[query, pace, signal]: Parameters<ReturnType<typeof fixtureStore>['app']>) => {
      if (!(await pace(signal))) return trouble('unknown')
      asked.push(query.storefront)
      return answers.shift() ?? assert.fail('no answer is left')
    },
  }
  const pace = createStorePace({ storage: storage.pace, clock, random: () => 0 }, 'google', 60_000)
  const noteApps = createNoteApps(storage, clock)
  const deps = { appStore, storage, pace, clock, log: silentLog, meter: silentMeter, noteApps }
  const nameApp = createNameApp(deps)
  return {
    storage,
    answers,
    asked,
    pace,
    move: (ms: number) => (nowMs += ms),
    visit: (feed: Partial<LeasedFeed> = {}, signal = never) => nameApp(leasedFeed(feed), signal),
    name: async () => (await storage.hooks.watchedApps('alice'))[0]?.name,
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

test('an app that is watched for its reviews alone gets its name from one look-up', async () => {
  await using naming = await openNaming()
  naming.answers.push(named)
  await naming.visit()
  assert.equal(await naming.name(), 'Example')
  naming.move(48 * HOUR)
  await naming.visit()
  assert.deepEqual(naming.asked, ['us'])
})

test('two markets visited at once ask once', async () => {
  await using naming = await openNaming()
  naming.answers.push(named)
  await Promise.all([naming.visit({ market: 'de' }), naming.visit({ market: 'ja' })])
  assert.deepEqual(naming.asked, ['de'])
})

test('an app that rating look-ups name is not asked for', async () => {
  await using naming = await openNaming()
  await naming.storage.hooks.follow('alice', app, ['us'], NOON)
  await naming.visit()
  assert.deepEqual(naming.asked, [])
})

test('after an answer that names nothing it is asked again a day later, by whichever visit comes then', async () => {
  for (const kind of ['unknown', 'changed'] as const) {
    await using naming = await openNaming()
    naming.answers.push(trouble(kind), named)
    await naming.visit()
    naming.move(24 * HOUR - 1)
    await naming.visit()
    assert.deepEqual([naming.asked.length, await naming.name()], [1, null])
    naming.move(1)
    await naming.visit()
    assert.equal(await naming.name(), 'Example')
  }
})

test('an app that one country of a language does not sell is asked for in the next ones, each once a day', async () => {
  await using naming = await openNaming()
  naming.answers.push(...Array.from({ length: 6 }, () => trouble('gone')))
  for (let visit = 1; visit <= 8; visit += 1) await naming.visit()
  assert.deepEqual(naming.asked, ['us', 'gb', 'ca', 'au', 'ie', 'in'])
  naming.move(24 * HOUR)
  naming.answers.push(named)
  await naming.visit()
  assert.equal(await naming.name(), 'Example')
})

test('a block backs the whole store off, and an app that could not be asked for meanwhile is asked for after it', async () => {
  await using naming = await openNaming()
  naming.answers.push(trouble('blocked', 2 * HOUR), named)
  await naming.visit({ appId: 'org.example.other' })
  assert.deepEqual(await naming.pace.blockedUntil(), new Date(NOON.getTime() + 2 * HOUR))
  await naming.visit()
  assert.equal(naming.asked.length, 1)
  naming.move(2 * HOUR)
  await naming.visit()
  assert.equal(await naming.name(), 'Example')
})

test('a stop asks nothing, and the next visit does', async () => {
  await using naming = await openNaming()
  naming.answers.push(named)
  await naming.visit({}, AbortSignal.abort())
  assert.deepEqual(naming.asked, [])
  await naming.visit()
  assert.equal(await naming.name(), 'Example')
})

test('a name request that ended in an internal error, or without storage, is repeated at the next poll', async () => {
  await using naming = await openNaming()
  await assert.rejects(naming.visit(), /no answer is left/)
  naming.answers.push(named)
  await naming.visit()
  assert.equal(await naming.name(), 'Example')
})
