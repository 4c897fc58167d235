import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enrichment } from '../../../test/support/occurrences.ts'
import type { Review } from '../../model/review.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { silentLog } from '../../runtime/log.ts'
import { silentMeter } from '../../runtime/meter.ts'
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
import { enrichLoop } from './enrich.ts'
import type { Enriched, Enricher } from './enricher.ts'

const never = new AbortController().signal
const engine = { name: 'offline', version: '1' } as const
const good: Enriched = { enrichment, engine }

/** Three new reviews that wait for enrichment, and the loop that gives them to `enrich`. */
async function openEnrich(enrich: Enricher['enrich'], clockChange: Partial<Clock> = {}) {
  const storage = await openSqlite({ file: ':memory:' })
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  await subscribe(storage)
  const reviews = ['a', 'b', 'c'].map((reviewId) => reviewOf({ reviewId, occurredAt: after(1) }))
  await poll(storage, await claimFeed(storage), reviews, { wish: { readyAt: after(MINUTE), enrich: true } })
  const clock: Clock = {
    now: () => after(10),
    monotonicMs: () => 0,
    sleep: systemClock.sleep,
    ...clockChange,
  }
  let ready = 0
  const loop = enrichLoop(
    {
      storage,
      enricher: { engine, reviewsMax: 10, batchesMax: 2, enrich },
      clock,
      log: silentLog,
      meter: silentMeter,
      newLease: () => 'lease_1',
      onReady: () => (ready += 1),
      wake: () => {},
    },
    { idleMs: 1000 },
  )
  return {
    loop,
    ready: () => ready,
    run: async (signal = never) => {
      const result = await loop.pass(signal)
      await loop.finish?.()
      return result
    },
    /** The occurrences ready at `now`, and whether each was understood. */
    occurrences: async (now = after(20)) =>
      new Map(
        (await takeOccurrences(storage, now)).flatMap((one) =>
          one.eventType === 'review.created' ? [[one.review.reviewId, one.review.enrichment !== null]] : [],
        ),
      ),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

test('occurrences are ready once their reviews are understood', async () => {
  await using stage = await openEnrich(async (reviews) => reviews.map(() => good))
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

test('a review that nothing could be made of goes out without enrichment', async () => {
  await using stage = await openEnrich(async (reviews) =>
    reviews.map(({ reviewId }) => (reviewId === 'b' ? null : good)),
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

test('a review that makes the engine throw spoils no other', async () => {
  await using stage = await openEnrich(async (reviews: readonly Review[]) => {
    if (reviews.some(({ reviewId }) => reviewId === 'b')) throw new Error('cannot read this')
    return reviews.map(() => good)
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

test('an engine that hangs is given up before the minute is over', async () => {
  const slept: number[] = []
  const hangs: Enricher['enrich'] = (reviews, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(reviews.map(() => null))))
  await using stage = await openEnrich(hangs, { sleep: async (ms) => void slept.push(ms) })
  await stage.run()
  assert.ok(slept[0] !== undefined && slept[0] < MINUTE)
  assert.deepEqual([...(await stage.occurrences()).values()], [false, false, false])
})

test('after a minute an occurrence no longer waits, whatever became of its enrichment', async () => {
  await using stage = await openEnrich(async () => [])
  assert.equal((await stage.occurrences(after(MINUTE - 1))).size, 0)
  assert.equal((await stage.occurrences(after(MINUTE))).size, 3)
})

test('a stop keeps what was understood and leaves the rest for the next start', async () => {
  const stop = new AbortController()
  await using stage = await openEnrich(async (reviews) => {
    if (stop.signal.aborted) return reviews.map(() => good)
    stop.abort()
    return reviews.map(({ reviewId }) => (reviewId === 'a' ? good : null))
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
