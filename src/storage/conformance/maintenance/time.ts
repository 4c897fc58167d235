import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instant } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { claim, enqueue, NO_CHANGE, retryAt, settle } from '../queue/queue-samples.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimFeeds,
  HOUR,
  hookOf,
  MINUTE,
  NOON,
  poll,
  reviewOf,
  subscribe,
} from '../samples.ts'

const DAY = 24 * HOUR
const AHEAD = 400 * DAY

export const HORIZONS = {
  pollMs: 3 * DAY,
  readyMs: HOUR,
  enrichLeaseMs: HOUR,
  deliveryMs: 2 * DAY,
  replayMs: HOUR,
  storeBlockMs: 2 * DAY,
  officialMs: 2 * DAY,
}

/** The clock went from `from` to `to` while nodes ran. */
export async function jump(storage: Storage, from: Instant, to: Instant, confirmMs: number | null = null) {
  const { steps } = await storage.time.recordReading(from, DAY)
  return storage.time.step({ from, to, steps, whileStopped: false, extendLeases: to > from, confirmMs })
}

export function timeSuite({ open }: Engine): void {
  describe('the stored clock', () => {
    it('the stored clock is unknown before the first reading, and unconfirmed for a while after it', async () => {
      await using storage = await open()
      assert.equal(await storage.time.state(), null)
      const first = await storage.time.recordReading(NOON, DAY)
      const jumps = { steps: 0, steppedMs: 0, lastJump: null, aheadMs: 0 }
      assert.deepEqual(first, { highWaterAt: NOON, ...jumps, unconfirmedUntil: after(DAY) })
      assert.deepEqual((await storage.time.recordReading(after(DAY - 1), DAY)).unconfirmedUntil, after(DAY))
      assert.equal((await storage.time.recordReading(after(DAY), DAY)).unconfirmedUntil, null)
      assert.deepEqual((await storage.time.state())?.highWaterAt, after(DAY))
    })

    it('the stored clock counts a jump once when several nodes detect it', async () => {
      await using storage = await open()
      const { steps } = await storage.time.recordReading(NOON, DAY)
      const one = {
        from: after(HOUR),
        to: NOON,
        steps,
        whileStopped: false,
        extendLeases: false,
        confirmMs: DAY,
      }
      const [first, second] = await Promise.all([storage.time.step(one), storage.time.step(one)])
      assert.deepEqual([first?.steps, second?.steps], [1, 1])
      assert.deepEqual(first?.lastJump, { at: NOON, byMs: -HOUR, whileStopped: false })
    })

    it('the stored clock stays unconfirmed for the same time when the clock jumps', async () => {
      await using storage = await open()
      await jump(storage, NOON, after(AHEAD), DAY)
      const back = await jump(storage, after(AHEAD + HOUR), after(HOUR))
      assert.deepEqual(back.unconfirmedUntil, after(DAY))
    })
  })

  describe('when the clock goes back', () => {
    it('a feed is due when its interval has passed, not at the old time', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage, { now: after(AHEAD) })
      await poll(storage, feed, [], { poll: { polledAt: after(AHEAD) }, nextPollAt: after(AHEAD + HOUR) })
      await jump(storage, after(AHEAD + MINUTE), after(MINUTE))
      assert.equal((await claimFeeds(storage, { now: after(HOUR - 1) })).length, 0)
      assert.equal((await claimFeeds(storage, { now: after(HOUR) })).length, 1)
    })

    it('the wait for the next attempt and the end of a lease keep their distance', async () => {
      for (const ahead of [HOUR, AHEAD]) {
        await using storage = await open()
        await addPeople(storage)
        const { hook } = await subscribe(storage)
        await enqueue(storage, [hook], { count: 2, at: after(ahead) })
        const [one] = await claim(storage, { now: after(ahead), limit: 1 })
        assert.ok(one)
        await settle(storage, [one], retryAt(after(ahead + 5 * MINUTE)), { now: after(ahead) })
        const [leased] = await claim(storage, { now: after(ahead), leaseMs: 2 * MINUTE })
        assert.ok(leased)
        await jump(storage, after(ahead + MINUTE), after(MINUTE))
        const due = async (ms: number) =>
          (await claim(storage, { now: after(ms), leaseMs: DAY })).map(({ eventId }) => eventId)
        assert.deepEqual(await due(2 * MINUTE - 1), [])
        assert.deepEqual(await due(2 * MINUTE), [leased.eventId])
        assert.deepEqual(await due(5 * MINUTE - 1), [])
        assert.deepEqual(await due(5 * MINUTE), [one.eventId])
      }
    })

    it('an open breaker, a blocked store and a bulk replay keep their wait', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2, at: after(AHEAD) })
      const claimed = await claim(storage, { now: after(AHEAD), limit: 1 })
      await settle(storage, claimed, retryAt(after(AHEAD)), {
        now: after(AHEAD),
        change: { ...NO_CHANGE, notBefore: after(AHEAD + 30 * MINUTE) },
      })
      await storage.pace.change('apple', NOON, (state) => ({
        ...state,
        arrivalAtMs: after(AHEAD + MINUTE).getTime(),
        blockedUntil: after(AHEAD + HOUR),
      }))
      await jump(storage, after(AHEAD), NOON)
      assert.equal((await claim(storage, { now: after(30 * MINUTE - 1) })).length, 0)
      assert.equal((await claim(storage, { now: after(30 * MINUTE) })).length, 2)
      const pace = await storage.pace.get('apple')
      assert.deepEqual([pace.blockedUntil, pace.arrivalAtMs], [after(HOUR), after(MINUTE).getTime()])
    })

    it('an occurrence and a queued text keep their wait', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const review = reviewOf({ reviewId: 'a', occurredAt: after(AHEAD), observedAt: after(AHEAD) })
      const enrichment = { readyAt: after(AHEAD + MINUTE), enrich: true }
      await poll(storage, await claimFeed(storage, { now: after(AHEAD) }), [review], { enrichment })
      const claimTexts = (now: Instant) =>
        storage.occurrences.claimForEnrichment({ now, limit: 10, lease: 'one', leaseMs: MINUTE })
      assert.equal((await claimTexts(after(AHEAD))).length, 1)
      await jump(storage, after(AHEAD), NOON)
      assert.equal((await claimTexts(after(MINUTE - 1))).length, 0)
      assert.equal((await claimTexts(after(MINUTE))).length, 1)
      const { fanOut } = storage.occurrences
      const ready = async (now: Instant) =>
        (await fanOut({ now, limit: 10, expireAfterMs: HOUR }, () => [])).occurrences
      assert.deepEqual([await ready(after(MINUTE - 1)), await ready(after(MINUTE))], [0, 1])
    })

    it('a hook created while the clock was ahead starts from the time of its real creation', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = hookOf({ createdAt: after(AHEAD) })
      await subscribe(storage, hook, { createdAt: after(AHEAD) })
      await jump(storage, after(AHEAD + HOUR), after(HOUR))
      const kept = await storage.hooks.get('alice', hook.id)
      assert.deepEqual(kept?.createdAt, NOON)
      assert.deepEqual((await claimFeed(storage, { now: after(HOUR) })).forwardFrom, NOON)
    })

    it('due rows do not change', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await jump(storage, after(2 * HOUR), after(HOUR))
      const [delivery] = await claim(storage, { now: after(HOUR) })
      assert.deepEqual(delivery?.dueAt, NOON)
    })
  })

  describe('when the clock goes forward', () => {
    it('no node claims the leased work of another', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      assert.equal((await claim(storage, { leaseMs: MINUTE })).length, 1)
      assert.equal((await claimFeeds(storage)).length, 1)
      await jump(storage, NOON, after(AHEAD))
      assert.equal((await claim(storage, { now: after(AHEAD + MINUTE - 1) })).length, 0)
      assert.equal((await claimFeeds(storage, { now: after(AHEAD) })).length, 0)
      assert.equal((await claim(storage, { now: after(AHEAD + MINUTE) })).length, 1)
    })

    it('a lease that was taken before the jump was detected keeps its end', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      assert.equal((await claim(storage, { now: after(AHEAD), leaseMs: MINUTE })).length, 1)
      assert.equal((await claimFeeds(storage, { now: after(AHEAD) })).length, 1)
      await jump(storage, NOON, after(AHEAD))
      assert.equal(await storage.time.repair(after(AHEAD), HORIZONS), 0)
      assert.equal((await claim(storage, { now: after(AHEAD + MINUTE - 1) })).length, 0)
      assert.equal((await claim(storage, { now: after(AHEAD + MINUTE) })).length, 1)
    })

    it('the burst of a store is not refilled', async () => {
      await using storage = await open()
      const arrivalAtMs = after(MINUTE).getTime()
      await storage.pace.change('apple', NOON, (state) => ({ ...state, arrivalAtMs }))
      await jump(storage, NOON, after(AHEAD))
      assert.equal((await storage.pace.get('apple')).arrivalAtMs, after(AHEAD + MINUTE).getTime())
    })
  })

  describe('an instant later than its rule allows', () => {
    it('an instant later than its rule allows is due at once after a repair, and others do not change', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: lost } = await subscribe(storage)
      const { hook: waiting } = await subscribe(storage)
      await enqueue(storage, [lost, waiting])
      for (const delivery of await claim(storage)) {
        const dueAt = delivery.hookId === lost.id ? after(AHEAD) : after(DAY)
        await settle(storage, [delivery], retryAt(dueAt))
      }
      assert.deepEqual(
        await claim(storage, { now: after(MINUTE) }),
        [],
        'the lanes are looked at, and put off',
      )
      await poll(storage, await claimFeed(storage), [], { nextPollAt: after(AHEAD) })
      await storage.pace.change('apple', NOON, (state) => ({ ...state, blockedUntil: after(AHEAD) }))
      assert.equal((await storage.feeds.overdue(NOON, 10)).count, 1)
      assert.ok((await storage.time.repair(NOON, HORIZONS)) >= 4)
      assert.equal((await storage.feeds.overdue(NOON, 10)).count, 0)
      assert.equal((await claimFeeds(storage)).length, 1)
      assert.deepEqual(
        (await claim(storage)).map(({ hookId }) => hookId),
        [lost.id],
      )
      assert.deepEqual((await storage.pace.get('apple')).blockedUntil, NOON)
      assert.equal(await storage.time.repair(NOON, HORIZONS), 0)
    })
  })

  describe('a feed', () => {
    it('a feed is overdue and listed when its poll is late by an interval', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const overdue = async (ms: number) =>
        (await storage.feeds.overdue(after(ms), 5)).feeds.map(({ appId }) => appId)
      assert.deepEqual(await overdue(DAY), [], 'never polled')
      const feed = await claimFeed(storage)
      await poll(storage, feed, [], { nextPollAt: after(HOUR) })
      const lateMs = HOUR + feed.intervalMs + MINUTE
      assert.deepEqual(await overdue(lateMs - 1), [])
      assert.deepEqual(await overdue(lateMs), [feed.appId])
    })
  })
}
