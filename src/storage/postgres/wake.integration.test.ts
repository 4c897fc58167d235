import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { addPeople, subscribe } from '../conformance/samples.ts'
import type { Storage } from '../port/storage.ts'
import { openPostgres } from './open.ts'

let server: TestPostgres

/** Counts wakes; `next` resolves at the first one after the call. */
function listen(storage: Storage) {
  let count = 0
  let waiting = Promise.withResolvers<void>()
  const stop = storage.onWake(() => {
    count += 1
    waiting.resolve()
    waiting = Promise.withResolvers<void>()
  })
  return { stop, next: () => waiting.promise, count: () => count }
}

const TIMEOUT = { timeout: 120_000 }

describe('waking other nodes', () => {
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  it('waking other nodes happens after a commit that created work, on all other nodes', TIMEOUT, async () => {
    const url = await server.newMigratedDatabase()
    await using writer = await openPostgres({ url })
    await using other = await openPostgres({ url })
    await addPeople(writer)
    const [own, others] = [listen(writer), listen(other)]
    // Both wake once when they start to listen, because they may have missed notifications.
    await Promise.all([own.next(), others.next()])
    const woken = others.next()
    await subscribe(writer)
    await woken
    assert.equal(own.count(), 1)
  })

  it('waking other nodes continues after the listening connection was terminated', TIMEOUT, async () => {
    const url = await server.newMigratedDatabase()
    await using writer = await openPostgres({ url })
    await using other = await openPostgres({ url, serviceVersion: 'cut' })
    await addPeople(writer)
    const { next } = listen(other)
    await next()
    const reconnected = next()
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'review-radar cut' and query like 'listen%'`,
    )
    await reconnected
    const woken = next()
    await subscribe(writer)
    await woken
  })

  it('waking other nodes ends for a stopped listener and with the storage', TIMEOUT, async () => {
    const url = await server.newMigratedDatabase()
    await using writer = await openPostgres({ url })
    await using other = await openPostgres({ url })
    await addPeople(writer)
    const [first, second] = [listen(other), listen(other)]
    await second.next()
    first.stop()
    const before = first.count()
    const woken = second.next()
    await subscribe(writer)
    await woken
    assert.equal(first.count(), before)
  })
})
