import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { longestBlockMs } from '../../../test/support/longest-block.ts'
import { holdSqliteLock } from '../../../test/support/sqlite-lock.ts'
import { claim, enqueue, idsOf } from '../conformance/queue/queue-samples.ts'
import { addPeople, NOON, subscribe } from '../conformance/samples.ts'
import { StorageLocked } from '../port/errors.ts'
import type { Storage } from '../port/storage.ts'
import { Connection } from './connect.ts'
import { LockQueue } from './lock-queue.ts'
import { openSqlite } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-locked-'))
let files = 0
function newFile(): string {
  files += 1
  return join(folder, `${files}.db`)
}

/** Long enough to detect a busy wait, short for a test. */
const LOCK_MS = 700
/** Far above the delay on a busy machine. A call that waits for the lock would block for the whole time. */
const BLOCK_MS_MAX = LOCK_MS / 2

describe('a SQLite file that another process has locked', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const begin of ['begin immediate', 'begin exclusive'] as const) {
    it(`a SQLite file that another process has locked does not block the thread while calls wait, and loses no call (${begin})`, async () => {
      const file = newFile()
      await using storage = await openSqlite({ file })
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await enqueue(storage, [hook])
      await using lock = await holdSqliteLock(file, begin)
      let isWaiting = true
      const calls = Promise.all([
        claim(storage),
        storage.accounts.create({ id: 'late', name: 'Late', createdAt: NOON }),
        storage.maintenance.getOrCreate('late', 'kept'),
      ]).finally(() => {
        isWaiting = false
      })
      const blockedMs = await longestBlockMs(async () => {
        await setTimeout(LOCK_MS)
        assert.equal(isWaiting, true, 'the calls wait for the lock')
        assert.notEqual(await storage.accounts.get('alice'), null, 'reads still work')
        assert.equal((await storage.hooks.list('alice')).length, 1)
        assert.equal(await storage.maintenance.ping(), true)
        await lock.release()
        await calls
      })
      assert.ok(blockedMs < BLOCK_MS_MAX, `blocked for ${blockedMs} ms`)
      assert.deepEqual(idsOf((await calls)[0]), ids)
      assert.notEqual(await storage.accounts.get('late'), null)
    })
  }

  it('a SQLite file that another process has locked runs the waiting writes in order', async () => {
    const file = newFile()
    using db = new Connection(file)
    db.exec('create table words (word integer) strict')
    await using lock = await holdSqliteLock(file)
    const write = (word: number) => db.whenUnlocked(() => db.run('insert into words values (?)', word))
    const writes = Array.from({ length: 20 }, (_, index) => write(index))
    await lock.release()
    // Called after the lock was released, while other calls are still queued.
    writes.push(write(20))
    await Promise.all(writes)
    assert.deepEqual(
      db.all<{ word: number }>('select word from words order by rowid').map(({ word }) => word),
      Array.from({ length: 21 }, (_, index) => index),
    )
  })

  it('a SQLite file refuses a write after the first await of its call, which other calls would wait for', async () => {
    using db = new Connection(newFile())
    db.exec('create table words (word integer) strict')
    db.queue.isWriteRefusedOutsideCall = true
    const write = () => db.run('insert into words values (1)')
    const late = async () => {
      db.get('select count(*) from words')
      await Promise.resolve()
      write()
    }
    await assert.rejects(db.queue.run(late), /in one transaction, before its first await/)
    await db.whenUnlocked(write)
    assert.equal(db.get<{ count: number }>('select count(*) as count from words')?.count, 1)
  })

  it('a SQLite file that another process has locked fails with a clear error while it stays locked, and works afterwards', async () => {
    const file = newFile()
    using db = new Connection(file)
    db.exec('create table words (word integer) strict')
    const queue = new LockQueue(file, 50)
    const write = () => queue.run(async () => db.run('insert into words values (1)'))
    {
      await using _lock = await holdSqliteLock(file)
      await assert.rejects(write(), (error) => {
        assert.ok(error instanceof StorageLocked)
        assert.equal(
          error.message,
          `The database ${file} cannot be used: another process has locked it for 0 s.`,
        )
        return true
      })
    }
    assert.equal(await write(), 1)
  })

  it('a SQLite file that another process has locked fails the waiting calls when the connection closes', async () => {
    const file = newFile()
    const storage = await openSqlite({ file })
    await using _lock = await holdSqliteLock(file)
    const waiting = storage.maintenance.getOrCreate('late', 'never')
    await storage[Symbol.asyncDispose]()
    await assert.rejects(waiting, StorageLocked)
  })

  it('a SQLite file that another process has locked is opened and migrated after the lock is released, without blocking', async () => {
    const file = newFile()
    new Connection(file)[Symbol.dispose]()
    await using lock = await holdSqliteLock(file, 'begin exclusive')
    const opened = Promise.withResolvers<Storage>()
    const blockedMs = await longestBlockMs(async () => {
      openSqlite({ file }).then(opened.resolve, opened.reject)
      await setTimeout(LOCK_MS)
    })
    await lock.release()
    await using storage = await opened.promise
    assert.ok(blockedMs < BLOCK_MS_MAX, `blocked for ${blockedMs} ms`)
    assert.deepEqual(await storage.accounts.list(), [])
  })
})
