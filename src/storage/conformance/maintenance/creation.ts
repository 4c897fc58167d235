import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, hookOf, MINUTE, NOON, SECOND, subscribe } from '../samples.ts'
import { jump } from './time.ts'

const DAY = 24 * HOUR
const AHEAD = 400 * DAY

/** The creation time of hooks after a wrong clock was corrected. */
export function creationSuite({ open }: Engine): void {
  describe('when the clock goes forward after going back', () => {
    /** Hooks created a day before the clock goes back by `behindMs`, and an hour after that. */
    async function createAround(storage: Storage, behindMs: number) {
      await addPeople(storage)
      const make = async (ms: number) =>
        (await subscribe(storage, hookOf({ createdAt: after(ms) }), { createdAt: after(ms) })).hook
      const before = await make(-DAY)
      await jump(storage, NOON, after(-behindMs))
      return { before, since: await make(HOUR - behindMs) }
    }
    async function createdOf(storage: Storage, ...ids: string[]) {
      const created: Date[] = []
      for (const id of ids) {
        const hook = await storage.hooks.get('alice', id)
        assert.ok(hook)
        assert.deepEqual(hook.watches[0]?.createdAt, hook.createdAt)
        created.push(hook.createdAt)
      }
      return created
    }

    it('when the clock returns by the same time, each hook starts from the time of its real creation', async () => {
      for (const behindMs of [HOUR, 2 * DAY, AHEAD]) {
        // The service was suspended for half a minute while the clock was corrected.
        for (const stoodMs of [0, MINUTE / 2]) {
          await using storage = await open()
          const { before, since } = await createAround(storage, behindMs)
          await jump(storage, after(2 * HOUR - behindMs), after(2 * HOUR + stoodMs))
          assert.deepEqual(await createdOf(storage, before.id, since.id), [after(-DAY), after(HOUR)])
        }
      }
    })

    it('when the clock returns too far back after a jump ahead, a hook older than both jumps moves only by their difference', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.time.recordReading(NOON, DAY)
      const createdAt = after(HOUR)
      const { hook } = await subscribe(storage, hookOf({ createdAt }), { createdAt })
      await jump(storage, after(HOUR + SECOND), after(DAY + HOUR))
      await jump(storage, after(DAY + HOUR + SECOND), after(HOUR - 2 * MINUTE))
      const differenceMs = 2 * MINUTE + 2 * SECOND
      assert.deepEqual(await createdOf(storage, hook.id), [after(HOUR - differenceMs)])
    })

    it('when the clock goes back and forward repeatedly, each hook starts from the time of its real creation', async () => {
      await using storage = await open()
      const { before, since } = await createAround(storage, AHEAD)
      await jump(storage, after(2 * HOUR - AHEAD), after(2 * HOUR))
      await jump(storage, after(3 * HOUR), after(3 * HOUR - AHEAD))
      await jump(storage, after(4 * HOUR - AHEAD), after(4 * HOUR))
      assert.deepEqual(await createdOf(storage, before.id, since.id), [after(-DAY), after(HOUR)])
    })

    it('when the clock goes forward by a different time, hooks do not move until it returns, since the machine was suspended', async () => {
      await using storage = await open()
      const { before, since } = await createAround(storage, 2 * DAY)
      const created = [after(-3 * DAY), after(HOUR - 2 * DAY)]
      await jump(storage, after(-DAY), after(-DAY + 10 * MINUTE))
      assert.deepEqual(await createdOf(storage, before.id, since.id), created)
      await jump(storage, after(-20 * HOUR), after(DAY))
      assert.deepEqual(await createdOf(storage, before.id, since.id), created)
      await jump(storage, after(2 * DAY), after(2 * DAY - HOUR + 10 * MINUTE))
      assert.deepEqual(await createdOf(storage, before.id, since.id), created)
    })

    it('when the clock returns by seconds, no hook moves later, since the difference may be a measurement error', async () => {
      await using storage = await open()
      const { since } = await createAround(storage, 30 * SECOND)
      await jump(storage, after(2 * HOUR - 30 * SECOND), after(2 * HOUR))
      assert.deepEqual(await createdOf(storage, since.id), [after(HOUR - 30 * SECOND)])
    })

    it('when the clock goes back by an hour and returns, an earlier difference of seconds moves no hook later', async () => {
      await using storage = await open()
      const { since } = await createAround(storage, SECOND)
      await jump(storage, after(HOUR + MINUTE), after(MINUTE))
      await jump(storage, after(2 * MINUTE), after(HOUR + 2 * MINUTE))
      assert.deepEqual(await createdOf(storage, since.id), [after(HOUR - SECOND)])
    })

    it('when the clock goes forward too far, hooks are restored when it returns', async () => {
      await using storage = await open()
      const { before, since } = await createAround(storage, 2 * MINUTE)
      await jump(storage, after(2 * HOUR - 2 * MINUTE), after(DAY + 2 * HOUR))
      const created = [after(-DAY - 2 * MINUTE), after(HOUR - 2 * MINUTE)]
      assert.deepEqual((await createdOf(storage, since.id))[0], created[1])
      await jump(storage, after(DAY + 3 * HOUR), after(3 * HOUR))
      assert.deepEqual(await createdOf(storage, before.id, since.id), [after(-DAY), after(HOUR)])
    })

    it('when the clock returns in several jumps, a hook created after its return does not move', async () => {
      await using storage = await open()
      await createAround(storage, DAY)
      await jump(storage, after(2 * HOUR - DAY), after(2 * HOUR + DAY))
      await jump(storage, after(3 * HOUR + DAY), after(3 * HOUR))
      const createdAt = after(4 * HOUR)
      const { hook } = await subscribe(storage, hookOf({ createdAt }), { createdAt })
      await jump(storage, after(5 * HOUR), after(5 * HOUR + DAY))
      assert.deepEqual(await createdOf(storage, hook.id), [createdAt])
      await jump(storage, after(6 * HOUR + DAY), after(6 * HOUR))
      assert.deepEqual(await createdOf(storage, hook.id), [createdAt])
    })

    it('when the clock returns a day later, hooks do not move, since the time is confirmed and becomes the reference', async () => {
      await using storage = await open()
      const { since } = await createAround(storage, HOUR)
      await storage.time.recordReading(after(DAY - HOUR), DAY)
      await jump(storage, after(DAY - HOUR), after(DAY))
      assert.deepEqual(await createdOf(storage, since.id), [NOON])
      await storage.time.recordReading(after(2 * DAY), DAY)
      const createdAt = after(2 * DAY)
      const { hook } = await subscribe(storage, hookOf({ createdAt }), { createdAt })
      await jump(storage, after(2 * DAY + HOUR), after(DAY))
      await jump(storage, after(DAY + HOUR), after(2 * DAY + 2 * HOUR))
      assert.deepEqual(await createdOf(storage, hook.id), [createdAt])
    })

    it('when the clock returns after an undetected jump ahead, hooks do not move later, since the clock may have been right', async () => {
      for (const gapMs of [3 * SECOND, 50 * MINUTE]) {
        await using storage = await open()
        await addPeople(storage)
        await storage.time.recordReading(NOON, DAY)
        await storage.time.recordReading(after(HOUR + gapMs), DAY, gapMs)
        await jump(storage, after(2 * HOUR + gapMs), after(2 * HOUR))
        const createdAt = after(3 * HOUR)
        const { hook } = await subscribe(storage, hookOf({ createdAt }), { createdAt })
        await jump(storage, after(4 * HOUR), after(4 * HOUR - AHEAD))
        assert.notDeepEqual(await createdOf(storage, hook.id), [createdAt])
        await jump(storage, after(5 * HOUR - AHEAD), after(5 * HOUR + gapMs))
        assert.deepEqual(await createdOf(storage, hook.id), [createdAt])
      }
    })

    it('when the clock goes forward at a start by minutes more, hooks do not move later, since the clock may have been wrong by these minutes', async () => {
      await using storage = await open()
      await createAround(storage, AHEAD)
      const more = 10 * MINUTE
      const { steps } = await storage.time.recordReading(after(HOUR - AHEAD), DAY)
      const back = { from: after(HOUR - AHEAD), to: after(HOUR + more), steps, extendLeases: false }
      await storage.time.step({ ...back, whileStopped: true, confirmMs: null })
      await jump(storage, after(2 * HOUR + more), after(2 * HOUR))
      const createdAt = after(3 * HOUR)
      const { hook } = await subscribe(storage, hookOf({ createdAt }), { createdAt })
      await jump(storage, after(4 * HOUR), after(4 * HOUR + more))
      assert.deepEqual(await createdOf(storage, hook.id), [createdAt])
    })

    it('a day after a gap, hooks are restored to the time of their real creation', async () => {
      await using storage = await open()
      await storage.time.recordReading(after(-3 * DAY), DAY)
      await storage.time.recordReading(after(-2 * DAY), DAY, HOUR)
      await storage.time.recordReading(after(-DAY), DAY)
      const { before, since } = await createAround(storage, HOUR)
      await jump(storage, after(HOUR), after(2 * HOUR))
      assert.deepEqual(await createdOf(storage, before.id, since.id), [after(-DAY), after(HOUR)])
    })

    it('a hook of a node that had not detected the jump back does not move', async () => {
      await using storage = await open()
      await createAround(storage, DAY)
      const createdAt = after(MINUTE)
      const { hook } = await subscribe(storage, hookOf({ createdAt }), { createdAt })
      await jump(storage, after(HOUR - DAY), after(HOUR))
      assert.deepEqual(await createdOf(storage, hook.id), [createdAt])
    })

    it('when the clock returns by the same time, hooks keep their time if the jump back had corrected the clock', async () => {
      await using storage = await open()
      await addPeople(storage)
      await jump(storage, NOON, after(AHEAD))
      const createdAt = after(AHEAD + HOUR)
      const { hook: ahead } = await subscribe(storage, hookOf({ createdAt }), { createdAt })
      await jump(storage, after(AHEAD + 2 * HOUR), after(2 * HOUR))
      const third = after(3 * HOUR)
      const { hook: since } = await subscribe(storage, hookOf({ createdAt: third }), { createdAt: third })
      await jump(storage, after(4 * HOUR), after(AHEAD + 4 * HOUR))
      assert.deepEqual(await createdOf(storage, ahead.id, since.id), [after(HOUR), third])
    })

    it('a jump back stays in effect when only a later one is undone', async () => {
      for (const [laterMs, movedMs] of [
        [12 * HOUR, 0],
        [10 * DAY, 10 * DAY],
      ] as const) {
        await using storage = await open()
        const { before, since } = await createAround(storage, 2 * DAY)
        const at = -DAY - HOUR
        await jump(storage, after(at), after(at - laterMs))
        await jump(storage, after(at - laterMs), after(at))
        assert.deepEqual(await createdOf(storage, before.id), [after(-3 * DAY - movedMs)])
        await jump(storage, after(at), after(at + 2 * DAY))
        assert.deepEqual(await createdOf(storage, before.id, since.id), [after(-DAY), after(HOUR)])
      }
    })
  })
}
