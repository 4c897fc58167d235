import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiskLevel, diskSentence } from '../model/disk-space.ts'
import { type NamedSourceHealth, unprovenSource } from '../model/source-health.ts'
import { systemClock } from '../runtime/clock.ts'
import { instantOf, later } from '../runtime/instant.ts'
import type { FeedStorage } from '../storage/port/feeds.ts'
import type { ClockState } from '../storage/port/time.ts'
import { readinessOf } from './readiness.ts'

const well = { name: 'send', ok: true, detail: null }
const NOON = instantOf(Date.parse('2026-03-01T12:00:00Z'))
const steady: ClockState = {
  highWaterAt: NOON,
  steps: 0,
  steppedMs: 0,
  lastJump: null,
  aheadMs: 0,
  unconfirmedUntil: null,
}

function readiness(
  given: {
    answers?: boolean
    overdue?: number
    sources?: readonly NamedSourceHealth[]
    skewMs?: number
    state?: Partial<ClockState>
    parts?: Parameters<typeof readinessOf>[0]['parts']
    stopping?: boolean
    disk?: DiskLevel
  } = {},
) {
  const { disk = 'ok', answers = true, overdue = 0, skewMs = 0, parts = [well], stopping = false } = given
  const feeds = { overdue: async () => ({ count: overdue, feeds: [] }) } as Pick<FeedStorage, 'overdue'>
  return readinessOf({
    storage: {
      maintenance: { ping: async () => answers },
      feeds,
      sourceHealth: { list: async () => [...(given.sources ?? [])] },
    },
    keeper: { clock: systemClock, skewMs: () => skewMs, state: () => ({ ...steady, ...given.state }) },
    parts,
    disk: { state: () => ({ level: disk, space: null, problem: diskSentence(disk, null) }) },
    stopping,
  })
}

test('a node is ready while storage responds and every loop works', async () => {
  assert.deepEqual(await readiness(), { ready: true, reasons: [], warnings: [] })
})

test('a node with a full disk is not ready, and one with little space warns', async () => {
  const full = await readiness({ disk: 'full' })
  assert.match(full.reasons.join(), /^The disk of the database is full/)
  const low = await readiness({ disk: 'low' })
  assert.deepEqual([low.ready, low.reasons], [true, []])
  assert.match(low.warnings.join(), /nearly full/)
})

test('a failing loop is named with its reason', async () => {
  const sick = { name: 'poll.apple.reviews', ok: false, detail: 'Its passes have been failing since noon.' }
  assert.deepEqual(await readiness({ parts: [well, sick] }), {
    ready: false,
    reasons: ['poll.apple.reviews: Its passes have been failing since noon.'],
    warnings: [],
  })
})

test('a node is not ready while it stops or while storage does not respond', async () => {
  assert.deepEqual((await readiness({ stopping: true })).reasons, ['The service is stopping.'])
  assert.deepEqual((await readiness({ answers: false })).reasons, ['The database does not answer.'])
})

test('a node with a clock more than five seconds off is not ready and reports the difference', async () => {
  assert.equal((await readiness({ skewMs: 5_000 })).ready, true)
  const { ready, reasons } = await readiness({ skewMs: -120_000 })
  assert.equal(ready, false)
  assert.match(reasons[0] ?? '', /^The clock of this machine is 2\.0 min behind the database's/)
})

test('a jump of the clock and overdue feeds are warnings, and the node stays ready', async () => {
  const lastJump = { at: NOON, byMs: 400 * 86_400_000, whileStopped: false }
  const { ready, warnings } = await readiness({ overdue: 3, state: { lastJump, unconfirmedUntil: NOON } })
  assert.equal(ready, true)
  assert.match(warnings[0] ?? '', /^The clock went forward by 400\.0 days at 2026-03-01T12:00:00\.000Z/)
  assert.match(warnings[1] ?? '', /^3 feeds were not polled within twice their interval/)
})

test('a source of a store with a fault is a warning, until nobody asks it any more', async () => {
  const now = systemClock.now()
  const source = {
    ...unprovenSource(now),
    store: 'apple',
    source: 'rss',
    state: 'off',
    fault: 'empty',
  } as const
  assert.deepEqual((await readiness({ sources: [source] })).warnings, [
    `The source rss of apple is off since ${now.toISOString()}: it shows no reviews of apps whose reviews other sources show. Polls use other sources first.`,
  ])
  const countedAt = later(now, -49 * 3_600_000)
  assert.deepEqual((await readiness({ sources: [{ ...source, countedAt }] })).warnings, [])
})
