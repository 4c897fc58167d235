import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemClock } from '../runtime/clock.ts'
import { silentLog } from '../runtime/log.ts'
import { openStorage } from './open.ts'

const options = { log: silentLog, clock: systemClock, nodeVersion: 'test' }

it('a database URL of another kind is refused with a sentence that tells the kinds there are, and no password', async () => {
  for (const url of ['', 'sqlite:', 'mysql://root:secret@localhost/radar', '/var/lib/radar.db']) {
    await assert.rejects(openStorage(url, options), (error) => {
      assert.ok(error instanceof Error)
      assert.match(error.message, /must be sqlite:<path of a file> or postgres:\/\//)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  }
})

it('sqlite::memory: is a database that dies with its storage', async () => {
  await using storage = await openStorage('sqlite::memory:', options)
  assert.equal(storage.engine, 'sqlite')
  assert.deepEqual(await storage.accounts.list(), [])
})
