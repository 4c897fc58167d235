import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { instantOf } from '../../runtime/instant.ts'
import type { FeedDemand } from '../../storage/port/feeds.ts'
import { relaxedPlan } from './poll-plan.ts'
import { createPollPlanner } from './poll-planner.ts'
import { POLL_SETTINGS } from './schedule.ts'

const MINUTE_MS = 60_000

function openPlanner(fixedIntervalMs: number | null = null) {
  let nowMs = 0
  let reads = 0
  let failing = false
  let feeds = 10
  const clock: Clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: systemClock.sleep }
  const demand = async (): Promise<FeedDemand> => {
    reads += 1
    if (failing) throw new Error('no connection')
    return { reviews: [{ reviewsPerDay: 1, feeds }], ratingPollsPerDay: 0 }
  }
  const planner = createPollPlanner(
    { storage: { feeds: { demand } }, appStore: { store: 'apple', ratingBatchMax: 200 }, clock },
    { ...POLL_SETTINGS.reviews, fixedIntervalMs },
    20,
  )
  return {
    planner,
    reads: () => reads,
    move: (ms: number) => (nowMs += ms),
    fail: (value: boolean) => (failing = value),
    setFeeds: (value: number) => (feeds = value),
  }
}

test('the demand is read once in ten minutes', async () => {
  const { planner, reads, move, setFeeds } = openPlanner()
  const [first, second] = await Promise.all([planner(), planner()])
  assert.deepEqual(first, second)
  setFeeds(50_000)
  move(10 * MINUTE_MS)
  assert.deepEqual(await planner(), first)
  assert.equal(reads(), 1)
  move(1)
  assert.ok((await planner()).intervalAtOnePerDayMs > first.intervalAtOnePerDayMs)
  assert.equal(reads(), 2)
})

test('after a failed read the next poll reads again', async () => {
  const { planner, reads, fail } = openPlanner()
  fail(true)
  await assert.rejects(planner())
  fail(false)
  assert.deepEqual(await planner(), relaxedPlan(POLL_SETTINGS.reviews))
  assert.equal(reads(), 2)
})

test('with a fixed interval nothing is read', async () => {
  const { planner, reads } = openPlanner(MINUTE_MS)
  await planner()
  assert.equal(reads(), 0)
})
