import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { STOREFRONTS } from '../../model/vocabulary.ts'
import type { Engine } from './harness.ts'
import { addPeople, NOON } from './samples.ts'

const CHILD = new URL('./feeds/claim-feeds-child.ts', import.meta.url).pathname

/** `url` names the last opened database. */
export function processesSuite({ open }: Engine, url: () => string): void {
  describe('several processes on one database', () => {
    it('several processes on one database claim every feed, none twice', async () => {
      await using storage = await open()
      await addPeople(storage)
      const apps = 40
      for (let app = 0; app < apps; app += 1) {
        await storage.hooks.trackStorefronts(
          'alice',
          { store: 'apple', appId: `app ${app}` },
          STOREFRONTS,
          NOON,
        )
      }
      const claimed = await Promise.all([claimInChild(url()), claimInChild(url()), claimInChild(url())])
      const ids = claimed.flat()
      assert.equal(ids.length, apps * STOREFRONTS.length)
      assert.equal(new Set(ids).size, ids.length)
    })
  })
}

async function claimInChild(url: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, url, String(NOON.getTime())])
  const ids: unknown = JSON.parse(stdout)
  assert.ok(Array.isArray(ids))
  return ids
}
