import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Engine } from '../harness.ts'
import { after, MINUTE, NOON } from '../samples.ts'

const FREE = { arrivalAtMs: 0, blockedUntil: null, blocks: 0, lastDetail: null }

export function paceSuite({ open, openAgain }: Engine): void {
  describe('the pace of a store', () => {
    it('the pace of a store is free before the first request', async () => {
      await using storage = await open()
      assert.deepEqual(await storage.pace.get('apple'), FREE)
    })

    it('the pace of a store is stored for each store', async () => {
      await using storage = await open()
      const blocked = {
        arrivalAtMs: NOON.getTime() + 0.25,
        blockedUntil: after(MINUTE),
        blocks: 3,
        lastDetail: 'HTTP 403',
      }
      assert.deepEqual(await storage.pace.change('apple', NOON, () => blocked), blocked)
      assert.deepEqual(await storage.pace.get('apple'), blocked)
      assert.deepEqual(await storage.pace.get('google'), FREE)
      const again = { ...FREE, arrivalAtMs: 7 }
      await storage.pace.change('apple', NOON, (state) => {
        assert.deepEqual(state, blocked)
        return again
      })
      assert.deepEqual(await storage.pace.get('apple'), again)
    })

    it('the pace of a store does not change when the change is null', async () => {
      await using storage = await open()
      await storage.pace.change('google', NOON, () => ({ ...FREE, arrivalAtMs: 5 }))
      assert.deepEqual(await storage.pace.change('google', NOON, () => null), { ...FREE, arrivalAtMs: 5 })
      assert.deepEqual(await storage.pace.change('apple', NOON, () => null), FREE)
    })

    it('the pace of a store contains both of two concurrent changes, including the first one', async () => {
      await using storage = await open()
      await using other = await openAgain()
      const count = 25
      await Promise.all(
        [storage, other].flatMap((each) =>
          Array.from({ length: count }, () =>
            each.pace.change('apple', NOON, (state) => ({ ...state, arrivalAtMs: state.arrivalAtMs + 1 })),
          ),
        ),
      )
      assert.equal((await storage.pace.get('apple')).arrivalAtMs, 2 * count)
    })
  })
}
