import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fetchPages } from '../../../test/support/fixture-fetch.ts'
import { NO_SOURCES } from '../../../test/support/no-sources.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import { addApp, addReviews, startSimulatedApple } from '../../../test/support/simulated-apple.ts'
import type { FeedSources } from '../../model/feed.ts'
import { instantOf } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import {
  afterAnswer,
  createStoreSources,
  EMPTY_APPS_MIN,
  OFF_MS,
  OFF_MS_MAX,
  type SourceHealth,
} from './source-health.ts'

const HOUR_MS = 3_600_000
const ON: SourceHealth = { emptyApps: [], offUntilMs: null, offs: 0 }

/** Polls of many apps by one process, with the real client of Apple. */
async function startPolls(apps: number) {
  const apple = await startSimulatedApple()
  const appIds = Array.from({ length: apps }, (_, index) => String(900_000_001 + index))
  for (const appId of appIds) {
    addApp(apple.world, appId)
    addReviews(apple.world, appId, 'us', 30)
  }
  let nowMs = 0
  const clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  const lines: string[] = []
  let blocks = 0
  const log = {
    ...silentLog,
    warn: (event: string, { source }: Record<string, unknown> = {}) => lines.push(`${event} ${source}`),
    info: (event: string, { source }: Record<string, unknown> = {}) => lines.push(`${event} ${source}`),
  }
  const meter = {
    ...silentMeter,
    count: (name: string) => {
      if (name === 'store_blocks_total') blocks += 1
    },
  }
  const storeSources = createStoreSources({ clock, log, meter }, apple.store)
  const states = new Map<string, { sources: FeedSources; lastSource: string | null }>()
  return {
    ...apple,
    lines,
    blocks: () => blocks,
    move: (ms: number) => (nowMs += ms),
    states,
    /** Polls every app once. Returns the requested sources. */
    pollAll: async () => {
      const before = apple.requestedSources().length
      for (const appId of appIds) {
        const state = states.get(appId) ?? { sources: NO_SOURCES, lastSource: null }
        const feed = { store: 'apple', appId, market: 'us', ...state } as const
        const fetched = await fetchPages(apple.store, [], feed, { storeSources })
        assert.equal(fetched.outcome, 'ok')
        states.set(appId, { sources: fetched.sources, lastSource: fetched.source })
      }
      return apple.requestedSources().slice(before)
    },
    feedEmpty: () => apple.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'empty_shell' }),
    feedServes: () => apple.world.clearFaults(),
    [Symbol.asyncDispose]: () => apple[Symbol.asyncDispose](),
  }
}

const feedRequests = (sources: readonly string[]) => sources.filter((source) => source === 'rss').length

test('a source that is empty for several apps in a row is off for the whole store, and counts as throttling', async () => {
  await using polls = await startPolls(12)
  polls.feedEmpty()
  assert.equal(feedRequests(await polls.pollAll()), 2 * EMPTY_APPS_MIN)
  assert.deepEqual(polls.lines, ['source.off rss', 'source.off rss_xml'], 'it is told once for the store')
  assert.equal(polls.blocks(), 2)
  assert.equal(feedRequests(await polls.pollAll()), 0)
  assert.ok(
    [...polls.states.values()].every(({ sources }) => sources.fallback === null),
    'the first source that is on is the primary one of every feed',
  )
})

test('one poll probes a source for all feeds, at longer and longer intervals, and its answer brings all of them back', async () => {
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
  assert.ok((perDay[1] ?? 0) <= (2 * (24 * HOUR_MS)) / OFF_MS_MAX, perDay.join())
  polls.feedServes()
  polls.move(OFF_MS_MAX)
  const returned = await polls.pollAll()
  assert.equal(returned.filter((source) => source === 'web').length, 0, 'all feeds are back on the feed')
  assert.deepEqual(polls.lines.slice(-1), ['source.on rss'])
})

test('pages of single apps that are missing put no source off', async () => {
  await using polls = await startPolls(12)
  for (const appId of ['900000002', '900000003', '900000004', '900000006', '900000007', '900000009'])
    polls.world.setFault({ store: 'apple', source: 'rss', appId }, { kind: 'transient_empty' })
  for (let poll = 0; poll < 4; poll += 1) await polls.pollAll()
  assert.deepEqual(polls.lines, [])
})

test('an app without reviews proves nothing about a source', async () => {
  await using polls = await startPolls(0)
  const sources = createStoreSources(
    {
      clock: { now: () => instantOf(0), monotonicMs: () => 0, sleep: async () => {} },
      log: silentLog,
      meter: silentMeter,
    },
    polls.store,
  )
  for (let app = 1; app <= 2 * EMPTY_APPS_MIN; app += 1) {
    addApp(polls.world, String(app))
    const query = { appId: String(app), market: 'us', cursor: null }
    const page = await polls.store.reviewsPage(query, polls.pace, new AbortController().signal)
    assert.equal(page.kind, 'empty')
    sources.learn(String(app), page)
  }
  assert.deepEqual(sources.toSkip(), new Set())
})

const answers = fc.array(
  fc.record({
    answer: fc.constantFrom('served' as const, 'empty' as const),
    appId: fc.nat(9).map(String),
    afterMs: fc.nat(OFF_MS_MAX),
  }),
  { maxLength: 60 },
)

test('a source is off only after empty answers for five different apps in a row, and never longer than six hours', () => {
  fc.assert(
    fc.property(answers, (sequence) => {
      let health = ON
      let nowMs = 0
      const inARow = new Set<string>()
      for (const { answer, appId, afterMs } of sequence) {
        nowMs += afterMs
        const before = health
        health = afterAnswer(health, answer, appId, nowMs)
        if (answer === 'served') inARow.clear()
        else inARow.add(appId)
        assert.equal(health.offUntilMs !== null, inARow.size >= EMPTY_APPS_MIN)
        assert.ok(health.emptyApps.length <= EMPTY_APPS_MIN)
        if (health.offUntilMs === null || health.offUntilMs === before.offUntilMs) continue
        assert.ok(health.offUntilMs - nowMs >= OFF_MS && health.offUntilMs - nowMs <= OFF_MS_MAX)
      }
    }),
  )
})
