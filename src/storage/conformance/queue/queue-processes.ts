import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Engine } from '../harness.ts'
import { addPeople, NOON, subscribe } from '../samples.ts'
import { enqueue } from './queue-samples.ts'

const CHILD = new URL('./claim-deliveries-child.ts', import.meta.url).pathname

/** `url` names the last opened database. */
export function queueProcessesSuite({ open }: Engine, url: () => string): void {
  describe('several senders in separate processes', () => {
    it('several senders in separate processes claim every delivery, none twice', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hooks = await Promise.all(Array.from({ length: 10 }, async () => (await subscribe(storage)).hook))
      const ids = await enqueue(storage, hooks, { count: 150 })
      const claimed = await Promise.all([claimInChild(url()), claimInChild(url()), claimInChild(url())])
      assert.deepEqual(claimed.flat().sort(), ids.sort())
    })
  })
}

async function claimInChild(url: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, url, String(NOON.getTime())], {
    maxBuffer: 2 ** 24,
  })
  const ids: unknown = JSON.parse(stdout)
  assert.ok(Array.isArray(ids))
  return ids
}
