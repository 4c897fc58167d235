import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { systemClock } from '../runtime/clock.ts'
import { silentLog } from '../runtime/log.ts'
import { openStorage } from './open.ts'
import { StorageUnavailable } from './port/errors.ts'

const options = { log: silentLog, clock: systemClock, nodeVersion: 'test' }

it('a database URL of another kind is refused with the allowed kinds, and without its password', async () => {
  for (const url of ['', 'sqlite:', 'mysql://root:secret@localhost/radar', '/var/lib/radar.db']) {
    await assert.rejects(openStorage(url, options), (error) => {
      assert.ok(error instanceof Error)
      assert.match(error.message, /must be sqlite:<path of a file> or postgres:\/\//)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  }
})

it('sqlite::memory: is a database that lives as long as its storage', async () => {
  await using storage = await openStorage('sqlite::memory:', options)
  assert.equal(storage.engine, 'sqlite')
  assert.deepEqual(await storage.accounts.list(), [])
})

describe('the files of a SQLite database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-open-'))
  after(() => rmSync(folder, { recursive: true }))
  const modes = (dir: string) =>
    Object.fromEntries(readdirSync(dir).map((name) => [name, statSync(join(dir, name)).mode & 0o777]))
  const create = (storage: Awaited<ReturnType<typeof openStorage>>, id: string) =>
    storage.accounts.create({ id, name: id, createdAt: systemClock.now() })

  it('the files of a SQLite database can be read only by their owner, including a backup', async () => {
    const dir = join(folder, 'new')
    await using storage = await openStorage(`sqlite:${join(dir, 'radar.db')}`, options)
    await create(storage, 'acc_1')
    await storage.maintenance.backup(join(dir, 'copy.db'))
    assert.deepEqual(modes(dir), {
      'copy.db': 0o600,
      'radar.db': 0o600,
      'radar.db-shm': 0o600,
      'radar.db-wal': 0o600,
    })
  })

  it('the files of a SQLite database are restricted when others can read them, and the log reports it', async () => {
    const dir = join(folder, 'wide')
    const url = `sqlite:${join(dir, 'radar.db')}`
    await using first = await openStorage(url, options)
    await create(first, 'acc_1')
    for (const name of readdirSync(dir)) chmodSync(join(dir, name), 0o644)
    const warned: unknown[] = []
    const log = { ...silentLog, warn: (_: string, fields?: object) => void warned.push(fields) }
    await using second = await openStorage(url, { ...options, log })
    assert.equal((await second.accounts.list()).length, 1)
    assert.deepEqual(new Set(Object.values(modes(dir))), new Set([0o600]))
    assert.deepEqual(warned[0], { file: join(dir, 'radar.db'), before: '0644', now: '0600' })
    assert.equal(warned.length, 3)
  })

  it('the files of a SQLite database are refused when others can read them and this user may not change the mode', async () => {
    // Not even root may change the mode of this kernel file.
    await assert.rejects(openStorage('sqlite:/proc/self/status', options), (error) => {
      assert.ok(error instanceof StorageUnavailable)
      assert.match(error.message, /can be read by other users.*chmod 600 \/proc\/self\/status/)
      return true
    })
  })
})
