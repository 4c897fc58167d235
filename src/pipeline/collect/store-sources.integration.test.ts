import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchPages } from '../../../test/support/fixture-fetch.ts'
import { NO_SOURCES } from '../../../test/support/no-sources.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import { addApp, addReviews, startSimulatedApple } from '../../../test/support/simulated-apple.ts'
import type { FeedSources } from '../../model/feed.ts'
import { PROBE_MS_MAX, SUSPECT_APPS_MIN } from '../../model/source-health.ts'
import { instantOf } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { createStoreSources } from './store-sources.ts'

const HOUR_MS = 3_600_000
const NOON_MS = Date.parse('2026-07-01T12:00:00Z')

/** Polls of many apps by one process, with the real client of Apple. */
async function startPolls(apps: number) {
  const apple = await startSimulatedApple()
  const appIds = Array.from({ length: apps }, (_, index) => String(900_000_001 + index))
  for (const appId of appIds) {
    addApp(apple.world, appId)
    addReviews(apple.world, appId, 'us', 30)
  }
  let nowMs = NOON_MS
  const clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  const lines: string[] = []
  const warnings: string[] = []
  let blocks = 0
  const log = {
    ...silentLog,
    warn: (event: string, { source }: Record<string, unknown> = {}) => {
      lines.push(`${event} ${source}`)
      warnings.push(`${event} ${source}`)
    },
    info: (event: string, { source }: Record<string, unknown> = {}) => lines.push(`${event} ${source}`),
  }
  const meter = {
    ...silentMeter,
    count: (name: string) => {
      if (name === 'store_blocks_total') blocks += 1
    },
  }
  const storage = await openSqlite({ file: ':memory:', clock })
  const node = () => createStoreSources({ clock, log, meter, storage: storage.sourceHealth }, apple.store)
  let storeSources = node()
  const states = new Map<string, { sources: FeedSources; lastSource: string | null }>()
  return {
    ...apple,
    lines,
    warnings,
    storage,
    restart: () => {
      storeSources = node()
    },
    storeSources: () => storeSources,
    blocks: () => blocks,
    now: () => new Date(nowMs),
    move: (ms: number) => (nowMs += ms),
    states,
    /** Polls every app once. Returns the requested sources. */
    pollAll: async () => {
      const before = apple.requestedSources().length
      for (const appId of appIds) {
        const state = states.get(appId) ?? { sources: NO_SOURCES, lastSource: null }
        const feed = { store: 'apple', appId, market: 'us', ...state } as const
        const fetched = await fetchPages(apple.store, [], feed, { storeSources, clock })
        assert.equal(fetched.outcome, 'ok')
        states.set(appId, { sources: fetched.sources, lastSource: fetched.source })
      }
      return apple.requestedSources().slice(before)
    },
    feedEmpty: () => apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' }),
    feedServes: () => apple.world.clearFaults(),
    [Symbol.asyncDispose]: async () => {
      await storage[Symbol.asyncDispose]()
      await apple[Symbol.asyncDispose]()
    },
  }
}

const feedRequests = (sources: readonly string[]) => sources.filter((source) => source === 'rss').length

test('a source that is empty for several apps in a row is off for the whole store, and counts as throttling', async () => {
  await using polls = await startPolls(12)
  polls.feedEmpty()
  assert.equal(feedRequests(await polls.pollAll()), 2 * SUSPECT_APPS_MIN)
  assert.deepEqual(polls.lines, ['source.off rss', 'source.off rss_xml'], 'it is told once for the store')
  assert.equal(polls.blocks(), 2)
  assert.equal(feedRequests(await polls.pollAll()), 0)
  assert.ok(
    [...polls.states.values()].every(({ sources }) => sources.fallback === null),
    'the first source that is on is the primary one of every feed',
  )
})

test('one poll probes a source for all feeds, at longer and longer intervals, and a day of its answers brings all of them back', async () => {
  await using polls = await startPolls(12)
  polls.feedEmpty()
  await polls.pollAll()
  const perDay: number[] = []
  for (let day = 0; day < 2; day += 1) {
    let requests = 0
    for (let poll = 0; poll < 16; poll += 1) {
      polls.move(1.5 * HOUR_MS)
      requests += feedRequests(await polls.pollAll())
    }
    perDay.push(requests)
  }
  assert.ok((perDay[0] ?? 0) > (perDay[1] ?? 0), perDay.join())
  assert.ok((perDay[1] ?? 0) <= (2 * (24 * HOUR_MS)) / PROBE_MS_MAX, perDay.join())
  polls.feedServes()
  polls.move(PROBE_MS_MAX)
  for (let halfHour = 0; halfHour < 48 && !polls.lines.includes('source.on rss'); halfHour += 1) {
    await polls.pollAll()
    polls.move(HOUR_MS / 2)
  }
  assert.deepEqual(
    polls.lines.filter((line) => line.endsWith(' rss')),
    [...['source.off rss', 'source.changed rss', 'source.on rss']],
  )
  assert.deepEqual(polls.warnings, ['source.off rss', 'source.off rss_xml'], 'a fault is told once')
  assert.equal(feedRequests(await polls.pollAll()), 12, 'all feeds are back on the feed')
})

test('a source with missing pages of many apps is degraded, not off, and told once', async () => {
  await using polls = await startPolls(12)
  for (const appId of ['900000002', '900000003', '900000004', '900000006', '900000007', '900000009'])
    polls.world.setFault({ store: 'apple', source: 'rss', appId }, { kind: 'transient_empty' })
  for (let poll = 0; poll < 4; poll += 1) await polls.pollAll()
  assert.deepEqual(polls.lines, ['source.degraded rss', 'source.degraded rss_xml'])
})

test('an app without reviews proves nothing about a source', async () => {
  await using polls = await startPolls(0)
  for (let app = 1; app <= 2 * SUSPECT_APPS_MIN; app += 1) {
    addApp(polls.world, String(app))
    const query = { appId: String(app), market: 'us', cursor: null }
    const page = await polls.store.reviewsPage(query, polls.pace, new AbortController().signal)
    assert.equal(page.kind, 'empty')
    await polls.storeSources().learn(String(app), page)
  }
  assert.deepEqual((await polls.storeSources().order(false)).without, new Set())
})

test('another node and a restarted one know which sources are off', async () => {
  await using polls = await startPolls(12)
  polls.feedEmpty()
  await polls.pollAll()
  polls.restart()
  assert.equal(feedRequests(await polls.pollAll()), 0)
  assert.deepEqual(polls.lines, ['source.off rss', 'source.off rss_xml'], 'it is told once')
})

test('a source that is older than another for several apps in a row is asked last, until it shows newer reviews', async () => {
  await using polls = await startPolls(14)
  const frozen = ['rss', 'rss_xml'] as const
  await polls.pollAll()
  for (const source of frozen)
    polls.world.setFault({ store: 'apple', source }, { kind: 'frozen', at: new Date(NOON_MS) })
  polls.move(72 * HOUR_MS)
  const publish = (id: number) => {
    for (const appId of polls.states.keys()) {
      polls.world.addReview(
        { store: 'apple', appId, market: 'us' },
        {
          ...{ id: String(id), rating: 3, title: 'New', body: 'New', author: 'A', version: '1' },
          publishedAt: polls.now(),
        },
      )
    }
  }
  publish(7_100_000_000)
  polls.move(HOUR_MS)
  const asked = await polls.pollAll()
  assert.equal(feedRequests(asked), 2 * SUSPECT_APPS_MIN, 'both forms of the feed')
  assert.deepEqual(
    polls.lines,
    ['source.degraded rss', 'source.degraded rss_xml'],
    'it is told once for the store',
  )
  polls.move(HOUR_MS / 4)
  assert.equal(feedRequests(await polls.pollAll()), 0, 'each feed starts with the next good source')
  assert.deepEqual(
    [...polls.states.values()].filter(({ sources }) => sources.frozen !== null || sources.fallback !== null),
    [],
    'feeds do not store what is true of the whole store',
  )
  polls.feedServes()
  polls.move(PROBE_MS_MAX)
  publish(7_100_000_001)
  await polls.pollAll()
  assert.deepEqual(polls.lines.slice(2), ['source.on rss'])
})
