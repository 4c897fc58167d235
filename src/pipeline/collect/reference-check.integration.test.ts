import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import { APP, addApp, addReviews, startSimulatedApple } from '../../../test/support/simulated-apple.ts'
import type { Clock } from '../../runtime/clock.ts'
import { instantOf } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { hookOf, NOON, subscribe } from '../../storage/conformance/samples.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { createStorePace } from './pace.ts'
import { referenceCheckLoop } from './reference-check.ts'
import { createStoreSources } from './store-sources.ts'

const HOUR = 3_600_000
const never = new AbortController().signal

/** Nodes on one database, with the real client of Apple. The reviews of the reference app are 28 hours old. */
async function startChecks({ subscribed = true } = {}) {
  const apple = await startSimulatedApple()
  let nowMs = Date.parse('2026-07-02T16:00:00Z')
  const clock: Clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  const storage = await openSqlite({ file: ':memory:', clock })
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  if (subscribed) await subscribe(storage, hookOf(), { store: 'apple', appId: '42' })
  addApp(apple.world)
  addReviews(apple.world, APP, 'us', 60)
  const told: string[] = []
  let published = 0
  const dayAgo = () => new Date(nowMs - 28 * HOUR)
  const log = {
    ...silentLog,
    warn: (event: string, { source, fault }: Record<string, unknown> = {}) =>
      told.push(`${event} ${source} ${fault}`),
    info: (event: string, { source }: Record<string, unknown> = {}) => {
      if (event !== 'sources.compared') told.push(`${event} ${source}`)
    },
  }
  const startNode = () => {
    const deps = {
      ...{ clock, log, meter: silentMeter, appStore: apple.store, feeds: storage.feeds },
      pace: createStorePace({ storage: storage.pace, clock, random: () => 0 }, 'apple', 60_000),
    }
    const storeSources = createStoreSources({ ...deps, storage: storage.sourceHealth }, apple.store)
    return referenceCheckLoop({ ...deps, storeSources }, APP)
  }
  return {
    world: apple.world,
    told,
    startNode,
    requests: () => apple.requestedSources().length,
    dayAgo,
    /** Every half hour the store shows a review that was written 28 hours before. */
    hoursLater: (hours: number) => {
      for (let passed = 0; passed < hours; passed += 0.5) {
        nowMs += HOUR / 2
        published += 1
        const id = String(7_200_000_000 + published)
        apple.world.addReview(
          { store: 'apple', appId: APP, market: 'us' },
          { id, rating: 3, title: id, body: id, author: id, version: '1', publishedAt: dayAgo() },
        )
      }
    },
    /** As if the first source came with a new version. */
    forgetFirst: () =>
      storage.sourceHealth.change('apple', apple.store.reviewSources, clock.now(), ([first]) =>
        first === undefined ? [] : [{ ...first, checkedAt: null }],
      ),
    states: async () =>
      Object.fromEntries(
        (await storage.sourceHealth.list('apple')).map(({ source, state }) => [source, state]),
      ),
    [Symbol.asyncDispose]: async () => {
      await storage[Symbol.asyncDispose]()
      await apple[Symbol.asyncDispose]()
    },
  }
}

test('a reference check finds a feed that is frozen although nothing else was polled, and its return', async () => {
  await using checks = await startChecks()
  const node = checks.startNode()
  await node.pass(never)
  assert.equal((await checks.states()).rss, 'healthy')
  for (const source of ['rss', 'rss_xml'] as const)
    checks.world.setFault({ store: 'apple', source }, { kind: 'frozen', at: checks.dayAgo() })
  checks.hoursLater(18)
  await node.pass(never)
  checks.world.clearFaults()
  checks.hoursLater(6)
  await node.pass(never)
  assert.deepEqual(checks.told, [
    'source.degraded rss frozen',
    'source.degraded rss_xml frozen',
    'source.on rss',
    'source.on rss_xml',
  ])
})

test('a reference check finds a frozen feed although both of its forms first show an empty page', async () => {
  await using checks = await startChecks()
  const node = checks.startNode()
  await node.pass(never)
  checks.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'frozen', at: checks.dayAgo() })
  checks.hoursLater(4)
  checks.world.setFault({ store: 'apple', source: 'rss', times: 3 }, { kind: 'empty_shell' })
  await node.pass(never)
  assert.deepEqual(checks.told, ['source.degraded rss_xml frozen'])
})

test('two nodes and restarts ask each source at most eight times a day for the reference app', async () => {
  await using checks = await startChecks()
  await checks.startNode().pass(never)
  const perCheck = checks.requests()
  assert.ok(perCheck > 0 && perCheck <= 7, `${perCheck}`)
  let nodes = [checks.startNode(), checks.startNode()]
  for (let hour = 0.5; hour <= 24; hour += 0.5) {
    checks.hoursLater(0.5)
    if (hour % 1 === 0) nodes = [checks.startNode(), checks.startNode()]
    for (const node of nodes) await node.pass(never)
  }
  assert.ok(checks.requests() <= 8 * perCheck, `${checks.requests()}`)
})

test('a reference check is due when one source was never checked', async () => {
  await using checks = await startChecks()
  const node = checks.startNode()
  await node.pass(never)
  const once = checks.requests()
  await checks.forgetFirst()
  await node.pass(never)
  assert.equal(checks.requests(), 2 * once)
  await node.pass(never)
  assert.equal(checks.requests(), 2 * once)
})

test('a reference check asks nothing of a store without feeds', async () => {
  await using checks = await startChecks({ subscribed: false })
  await checks.startNode().pass(never)
  assert.equal(checks.requests(), 0)
})
