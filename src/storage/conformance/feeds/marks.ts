import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine } from '../harness.ts'

export function marksSuite(engine: Engine): void {
  test('the first value of a name is not replaced', async () => {
    await using storage = await engine.open()
    assert.equal(await storage.maintenance.getOrCreate('key', 'one'), 'one')
    assert.equal(await storage.maintenance.getOrCreate('key', 'two'), 'one')
    assert.equal(await storage.maintenance.getOrCreate('other', 'two'), 'two')
  })
}
