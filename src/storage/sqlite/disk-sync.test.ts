import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { instantOf } from '../../runtime/instant.ts'
import { StorageUnavailable } from '../port/errors.ts'
import { DiskSync } from './disk-sync.ts'
import { openSqlite } from './open.ts'

/** A log whose syncs end when the test ends them. */
function manualLog() {
  const syncs: PromiseWithResolvers<void>[] = []
  const log = {
    isClosed: false,
    sync: () => {
      const sync = Promise.withResolvers<void>()
      syncs.push(sync)
      return sync.promise
    },
    close: () => {
      log.isClosed = true
    },
  }
  return { log, syncs }
}

/** Whether a promise has resolved by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol()
  // Waits longer than the promise needs after its sync.
  for (let turn = 0; turn < 10; turn += 1) await null
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending
}

describe('a sync to the disk', () => {
  it('a sync to the disk covers all commits before it, and a later commit has its own', async () => {
    const { log, syncs } = manualLog()
    using disk = new DiskSync(log)
    const first = disk.catchUp(1, () => 2)
    const second = disk.catchUp(2, () => 2)
    const third = disk.catchUp(3, () => 3)
    assert.equal(syncs.length, 2)
    syncs[0]?.resolve()
    await Promise.all([first, second])
    assert.equal(await isDone(third), false)
    assert.equal(disk.isBehind(3), true)
    syncs[1]?.resolve()
    await third
    assert.equal(disk.isBehind(3), false)
  })

  it('a sync to the disk is shared by the commits that come while two are under way', async () => {
    const { log, syncs } = manualLog()
    using disk = new DiskSync(log)
    let commits = 0
    const commit = () => {
      commits += 1
      return disk.catchUp(commits, () => commits)
    }
    const all = Array.from({ length: 10 }, commit)
    assert.equal(syncs.length, 2)
    syncs[0]?.resolve()
    await all[0]
    assert.equal(await isDone(all[9] ?? Promise.resolve()), false)
    assert.equal(syncs.length, 3)
    for (const sync of syncs) sync.resolve()
    await Promise.all(all)
    assert.equal(syncs.length, 3)
  })

  it('a failed sync fails all commits that it covers, which the next one covers again', async () => {
    const { log, syncs } = manualLog()
    using disk = new DiskSync(log)
    const failing = [1, 2].map((commit) => disk.catchUp(commit, () => 2))
    syncs[0]?.reject(new Error('EIO'))
    for (const each of failing) await assert.rejects(each, StorageUnavailable)
    const again = disk.catchUp(1, () => 2)
    syncs[1]?.resolve()
    await again
  })

  it('a sync to the disk keeps the log open until it has ended', async () => {
    const { log, syncs } = manualLog()
    const disk = new DiskSync(log)
    const syncing = disk.catchUp(1, () => 1)
    disk[Symbol.dispose]()
    assert.equal(log.isClosed, false)
    syncs[0]?.resolve()
    await syncing
    assert.equal(log.isClosed, true)
  })
})

describe('storage on SQLite', () => {
  it('storage on SQLite gives no result before the commits that it is based on are on the disk', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'radar-disk-sync-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const { log, syncs } = manualLog()
    const opening = openSqlite({ file: join(folder, 'radar.db'), openLog: () => log })
    await until('the schema is being synced', () => syncs.length === 1)
    assert.equal(await isDone(opening), false)
    syncs[0]?.resolve()
    await using storage = await opening
    const account = { id: 'acc_1', name: 'One', createdAt: instantOf(Date.now()) }
    const created = storage.accounts.create(account)
    const read = storage.accounts.get(account.id)
    assert.equal(await isDone(created), false)
    assert.equal(await isDone(read), false)
    for (const sync of syncs) sync.resolve()
    await created
    assert.equal((await read)?.name, 'One')
    assert.equal(await isDone(storage.accounts.get(account.id)), true)
  })
})
