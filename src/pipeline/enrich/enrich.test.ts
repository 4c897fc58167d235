import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enrichment } from '../../../test/support/occurrences.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import type { Review } from '../../model/review.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import type { Instant } from '../../runtime/instant.ts'
import { instantOf } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import {
  after,
  claimFeed,
  MINUTE,
  NOON,
  poll,
  reviewOf,
  subscribe,
  takeOccurrences,
} from '../../storage/conformance/samples.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { enrichLoop, TRIES_MAX } from './enrich.ts'
import type { Enriched, Enricher } from './enricher.ts'

const never = new AbortController().signal
const engine = { name: 'offline', version: '1' } as const
const enriched: Enriched = { enrichment, engine }
const failed = { enrichment: null, failure: 'over_budget' } as const

/** Three reviews queued for enrichment, and a loop that passes them to `enrich`. */
async function openEnrich(
  enrich: Enricher['enrich'],
  clockChange: Partial<Clock> = {},
  preparation?: Enricher['preparation'],
) {
  const storage = await openSqlite({ file: ':memory:' })
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  await subscribe(storage)
  const reviews = ['a', 'b', 'c'].map((reviewId) => reviewOf({ reviewId, occurredAt: after(1) }))
  await poll(storage, await claimFeed(storage), reviews, {
    enrichment: { readyAt: after(MINUTE), enrich: true },
  })
  let now = after(10)
  const counted: object[] = []
  const clock: Clock = {
    now: () => now,
    monotonicMs: () => 0,
    sleep: systemClock.sleep,
    ...clockChange,
  }
  let ready = 0
  const newLoop = () =>
    enrichLoop(
      {
        storage,
        enricher: {
          engine,
          reviewsMax: 10,
          batchesMax: 2,
          enrich,
          ...(preparation === undefined ? {} : { preparation }),
        },
        clock,
        log: silentLog,
        meter: { ...silentMeter, count: (_name, labels) => void counted.push(labels) },
        newLease: () => 'lease_1',
        onReady: () => (ready += 1),
        wake: () => {},
      },
      { idleMs: 1000 },
    )
  let loop = newLoop()
  return {
    get loop() {
      return loop
    },
    /** Simulates a restart of the process. */
    restart: () => {
      loop = newLoop()
    },
    counted,
    storage,
    moveTo: (instant: Instant) => {
      now = instant
    },
    ready: () => ready,
    run: async (signal = never) => {
      const result = await loop.pass(signal)
      await loop.finish?.()
      return result
    },
    /** The occurrences ready at `now`, and whether each has an enrichment. */
    occurrences: async (now = after(20)) =>
      new Map(
        (await takeOccurrences(storage, now)).flatMap((one) =>
          one.eventType === 'review.created' ? [[one.review.reviewId, one.review.enrichment !== null]] : [],
        ),
      ),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

test('occurrences are ready once their reviews are enriched', async () => {
  await using stage = await openEnrich(async (reviews) => reviews.map(() => enriched))
  assert.equal((await stage.occurrences()).size, 0)
  assert.equal(await stage.run(), 'worked')
  assert.deepEqual(
    [...(await stage.occurrences())],
    [
      ['a', true],
      ['b', true],
      ['c', true],
    ],
  )
  assert.equal(stage.ready(), 1)
  assert.equal(await stage.run(), 'idle')
})

test('a failed review is sent without enrichment', async () => {
  await using stage = await openEnrich(async (reviews) =>
    reviews.map(({ reviewId }) => (reviewId === 'b' ? failed : enriched)),
  )
  await stage.run()
  assert.deepEqual(
    [...(await stage.occurrences())],
    [
      ['a', true],
      ['b', false],
      ['c', true],
    ],
  )
})

test('a review that makes the engine throw does not affect the others', async () => {
  await using stage = await openEnrich(async (reviews: readonly Review[]) => {
    if (reviews.some(({ reviewId }) => reviewId === 'b')) throw new Error('cannot read this')
    return reviews.map(() => enriched)
  })
  await stage.run()
  assert.deepEqual(
    [...(await stage.occurrences())],
    [
      ['a', true],
      ['b', false],
      ['c', true],
    ],
  )
})

test('a hanging engine times out within a minute, and its reviews are tried at most three times', async () => {
  const slept: number[] = []
  const hangs: Enricher['enrich'] = (reviews, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(reviews.map(() => null))))
  await using stage = await openEnrich(hangs, {
    monotonicMs: () => slept.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms) => void slept.push(ms),
  })
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    await stage.run()
    assert.ok(slept[0] !== undefined && slept[0] < MINUTE)
    assert.equal((await stage.occurrences()).size, 0)
  }
  await stage.run()
  assert.deepEqual([...(await stage.occurrences()).values()], [false, false, false])
  const failures = await stage.storage.occurrences.enrichmentFailures(instantOf(0))
  assert.deepEqual(failures, [{ failure: 'too_many_tries', count: 3 }])
})

test('a review that crashes the process each time gets no enrichment and does not affect the others', async () => {
  const seen: string[] = []
  const dies: Enricher['enrich'] = async (reviews) => {
    seen.push(reviews.map(({ reviewId }) => reviewId).join(''))
    // Simulates a killed process: no result and no release, so the lease expires.
    if (reviews.some(({ reviewId }) => reviewId === 'b')) await new Promise(() => {})
    return reviews.map(() => enriched)
  }
  await using stage = await openEnrich(dies, { sleep: () => new Promise(() => {}) })
  for (let minutes = 0; minutes < 8; minutes++) {
    stage.moveTo(after(10 + minutes * MINUTE))
    // A batch that never ends represents a killed process, and the other slot the next process.
    while ((await stage.loop.pass(never)) === 'worked') await new Promise(setImmediate)
    stage.restart()
  }
  assert.deepEqual(
    seen.filter((names) => names.includes('b')),
    ['abc', 'b', 'b'],
  )
  assert.deepEqual([...(await stage.occurrences(after(9 * MINUTE)))].sort(), [
    ['a', true],
    ['b', false],
    ['c', true],
  ])
})

test('a failed review is counted with the reason', async () => {
  await using stage = await openEnrich(async (reviews) =>
    reviews.map(({ reviewId }) => (reviewId === 'b' ? failed : enriched)),
  )
  await stage.run()
  assert.deepEqual(stage.counted, [
    { engine: 'offline', result: 'ok', reason: '' },
    { engine: 'offline', result: 'none', reason: 'over_budget' },
    { engine: 'offline', result: 'ok', reason: '' },
  ])
})

test('the loop claims no review and reports the node as not ready while the engine starts', async () => {
  let pending: string | null = 'It is starting.'
  let ready = () => {}
  const begin = (onReady: () => void) => {
    ready = onReady
  }
  const preparation = { pending: () => pending, begin }
  await using stage = await openEnrich(async (reviews) => reviews.map(() => enriched), {}, preparation)
  assert.equal(stage.loop.problem?.(), 'It is starting.')
  assert.equal(await stage.run(), 'idle')
  assert.equal((await stage.occurrences()).size, 0)
  pending = null
  ready()
  assert.equal(stage.loop.problem?.(), null)
  assert.equal(await stage.run(), 'worked')
  assert.equal((await stage.occurrences()).size, 3)
})

test('an occurrence waits for its enrichment for a minute at most', async () => {
  await using stage = await openEnrich(async () => [])
  assert.equal((await stage.occurrences(after(MINUTE - 1))).size, 0)
  assert.equal((await stage.occurrences(after(MINUTE))).size, 3)
})

test('a stop stores finished enrichments and leaves the others for the next start', async () => {
  const stop = new AbortController()
  await using stage = await openEnrich(async (reviews) => {
    if (stop.signal.aborted) return reviews.map(() => enriched)
    stop.abort()
    return reviews.map(({ reviewId }) => (reviewId === 'a' ? enriched : null))
  })
  await stage.run(stop.signal)
  assert.deepEqual([...(await stage.occurrences())], [['a', true]])
  await stage.run()
  assert.deepEqual(
    [...(await stage.occurrences())],
    [
      ['b', true],
      ['c', true],
    ],
  )
})
