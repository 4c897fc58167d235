import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { jump } from '../maintenance/time.ts'
import { after, HOUR, MINUTE, NOON } from '../samples.ts'

/** Takes a permit of a key that has `max` of them, one of which returns every minute. Returns the wait. */
function take(
  storage: Storage,
  key: string,
  { now = NOON, max = 3, name = 'sign_in' } = {},
): Promise<number> {
  return storage.attemptLimits.take(name, key, now, (storedMs, at) => {
    const usedMs = Math.max(storedMs, at.getTime())
    const waitMs = Math.max(0, usedMs - at.getTime() - (max - 1) * MINUTE)
    return { arrivalMs: usedMs + (waitMs === 0 ? MINUTE : 0), waitMs }
  })
}

export function attemptLimitsSuite({ open, openAgain }: Engine): void {
  describe('a limit of attempts', () => {
    it('a limit of attempts counts each key, and refuses until its next permit', async () => {
      await using storage = await open()
      for (let n = 0; n < 3; n += 1) assert.equal(await take(storage, 'ann'), 0)
      assert.equal(await take(storage, 'ann'), MINUTE)
      assert.equal(await take(storage, 'ann'), MINUTE, 'a refused attempt counts no more')
      assert.equal(await take(storage, 'ben'), 0)
      assert.equal(await take(storage, 'ann', { now: after(MINUTE) }), 0)
      assert.equal(await take(storage, 'ann', { now: after(MINUTE) }), MINUTE)
    })

    it('a limit of attempts shares no count with another limit, whatever number of attempts that one has', async () => {
      await using storage = await open()
      for (let n = 0; n < 3; n += 1) assert.equal(await take(storage, 'ann', { name: 'sign_up' }), 0)
      assert.equal(await take(storage, 'ann'), 0)
      await storage.attemptLimits.reset('sign_in', 'ann')
      assert.equal(await take(storage, 'ann', { name: 'sign_up' }), MINUTE)
    })

    it('a limit of attempts starts again after a reset, which frees no other key', async () => {
      await using storage = await open()
      for (let n = 0; n < 3; n += 1) for (const key of ['ann', 'ben']) await take(storage, key)
      await storage.attemptLimits.reset('sign_in', 'ann')
      await storage.attemptLimits.reset('sign_in', 'nobody')
      assert.equal(await take(storage, 'ann'), 0)
      assert.equal(await take(storage, 'ben'), MINUTE)
    })

    it('a limit of attempts is the same for all connections, also for a later one', async () => {
      await using storage = await open()
      await using other = await openAgain()
      for (const each of [storage, other, storage]) assert.equal(await take(each, 'ann'), 0)
      assert.equal(await take(other, 'ann'), MINUTE)
      await using restarted = await openAgain()
      assert.equal(await take(restarted, 'ann'), MINUTE)
    })

    it('a limit of attempts gives each permit once to concurrent attempts', async () => {
      await using storage = await open()
      await using other = await openAgain()
      const waits = await Promise.all(
        [storage, other].flatMap((each) => Array.from({ length: 10 }, () => take(each, 'ann', { max: 7 }))),
      )
      assert.equal(waits.filter((waitMs) => waitMs === 0).length, 7)
    })

    it('a limit of attempts keeps a lock whatever number of other keys there is', async () => {
      await using storage = await open()
      for (let n = 0; n < 3; n += 1) await take(storage, 'ann')
      for (let n = 0; n < 100; n += 1) await take(storage, `other ${n}`)
      assert.equal(await take(storage, 'ann'), MINUTE)
    })

    it('a limit of attempts keeps its wait when the clock jumps', async () => {
      await using storage = await open()
      for (let n = 0; n < 3; n += 1) await take(storage, 'ann')
      await jump(storage, NOON, after(HOUR))
      assert.equal(await take(storage, 'ann', { now: after(HOUR) }), MINUTE)
      await jump(storage, after(HOUR), NOON)
      assert.equal(await take(storage, 'ann'), MINUTE)
    })
  })
}
