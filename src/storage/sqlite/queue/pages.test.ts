import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { claim, DELIVERED, enqueue, settle } from '../../conformance/queue/queue-samples.ts'
import { addPeople, subscribe } from '../../conformance/samples.ts'
import { eventWhere } from '../../tables/queue/delivery-where.ts'
import { Connection } from '../connect.ts'
import { openSqlite } from '../open.ts'
import { pageInSteps, pageOf } from './pages.ts'

test('a page read in steps equals the page read at once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-page-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'radar.db')
  await using storage = await openSqlite({ file })
  await addPeople(storage)
  const { hook } = await subscribe(storage)
  await enqueue(storage, [hook], { count: 20 })
  await settle(storage, await claim(storage, { limit: 7 }), DELIVERED)
  using db = new Connection(file)
  for (const filter of [{}, { status: 'delivered' }, { status: 'pending' }, { status: 'dead' }] as const) {
    const where = eventWhere('alice', filter)
    for (const before of [null, 1, 2, 8, 15, 21]) {
      for (const limit of [1, 3, 50]) {
        for (const page of [
          { before, limit },
          { after: before, limit },
        ]) {
          const atOnce = pageOf(db, where, page)
          for (const step of [1, 3, 7, 100]) {
            assert.deepEqual(await pageInSteps(db, where, page, step), atOnce)
          }
        }
      }
    }
  }
})
