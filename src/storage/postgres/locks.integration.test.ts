import assert from 'node:assert/strict'
import { after as afterAll, before, describe, it } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { type Instant, instantOf } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { claim, enqueue, idsOf } from '../conformance/queue/queue-samples.ts'
import { addPeople, after, HOUR, MINUTE, NOON, subscribe } from '../conformance/samples.ts'
import type { DeletionStep } from '../port/accounts.ts'
import type { Storage } from '../port/storage.ts'
import { advanceNextClaims, endLane, lockLanes } from '../tables/queue/lanes.ts'
import { runAsync } from '../work.ts'
import { Database } from './connect.ts'
import { openPostgres } from './open.ts'
import { LOCK_EVENT_SEQS } from './queue/event-log.ts'

let server: TestPostgres

/** Behaviour with concurrent writers. */
describe('on PostgreSQL', () => {
  before(async () => {
    server = await startPostgres()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('a claim waits for lanes locked by a settle when there are no others', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using db = new Database({ url, log: silentLog, applicationName: 'settling' })
    await addPeople(storage)
    const { hook } = await subscribe(storage)
    const ids = await enqueue(storage, [hook])
    const { claiming } = await db.transaction(async (tx) => {
      await runAsync(tx, lockLanes([hook.id]))
      const claiming = claim(storage)
      await untilItWaits(url, claiming)
      return { claiming }
    })
    assert.deepEqual(idsOf(await claiming), ids)
  })

  it('a claim skips lanes locked by a settle when there are others', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using db = new Database({ url, log: silentLog, applicationName: 'settling' })
    await addPeople(storage)
    const { hook: locked } = await subscribe(storage)
    const { hook: free } = await subscribe(storage)
    await enqueue(storage, [locked])
    const ids = await enqueue(storage, [free])
    await db.transaction(async (tx) => {
      await runAsync(tx, lockLanes([locked.id]))
      assert.deepEqual(idsOf(await claim(storage)), ids)
    })
  })

  it('an event with a lower number is not skipped when it is committed later', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using late = new Database({ url, log: silentLog, applicationName: 'late' })
    await addPeople(storage)
    const { hook } = await subscribe(storage)
    const pull = (after: number) => storage.deliveries.eventsAfter('alice', {}, { limit: 10, after })
    const { pulling } = await late.transaction(async (tx) => {
      await tx.run(LOCK_EVENT_SEQS)
      await tx.run(
        `insert into events (event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
         values (sha256('late'), '', 'alice', $1, 'review.created', 'apple', '1', 0, 'the late one')`,
        hook.id,
      )
      const [id] = await enqueue(storage, [hook])
      const pulling = pull(0)
      assert.equal(await Promise.race([pulling, untilLocksWereRead(late)]), 'still waiting')
      return { pulling: pulling.then(({ events }) => ({ events, id })) }
    })
    const { events, id } = await pulling
    assert.deepEqual(
      events.map(({ body }) => body),
      ['the late one', `body of ${id}`],
    )
  })

  it('a delivery queued while a claim finds its lane empty is not lost', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using claiming = new Database({ url, log: silentLog, applicationName: 'claiming' })
    await using coming = new Database({ url, log: silentLog, applicationName: 'coming' })
    await addPeople(storage)
    const { hook } = await subscribe(storage)
    await claiming.run('update lanes set next_claim_at = $1', NOON.getTime())
    const { forward } = await claiming.transaction(async (tx) => {
      await tx.all('select 1 from lanes for no key update')
      const forward = coming.transaction(async (other) =>
        runAsync(other, advanceNextClaims(new Map([[hook.id, NOON.getTime()]]))),
      )
      await untilItWaits(url, forward)
      await tx.run('update lanes set next_claim_at = null')
      return { forward }
    })
    await forward
    const [lane] = await claiming.all<{ next_claim_at: number | null }>('select next_claim_at from lanes')
    assert.equal(lane?.next_claim_at, NOON.getTime())
  })

  it('a delivery queued in a lane after its sweep is swept later', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using db = new Database({ url, log: silentLog, applicationName: 'late' })
    await addPeople(storage)
    const { hook } = await subscribe(storage)
    const [eventId = ''] = await enqueue(storage, [hook])
    // Simulates a sweep that ran before the delivery was created.
    await db.transaction((tx) => runAsync(tx, endLane(hook.id, 'gone', NOON)))
    await db.run('update lanes set sweep_at = null')
    assert.deepEqual(await storage.deliveries.sweepEnded(after(MINUTE), 10), { dead: 0, dropped: 0 })
    await db.transaction((tx) => runAsync(tx, advanceNextClaims(new Map([[hook.id, NOON.getTime()]]))))
    assert.deepEqual(await claim(storage), [])
    assert.deepEqual(await storage.deliveries.sweepEnded(after(MINUTE), 10), { dead: 1, dropped: 0 })
    assert.equal((await storage.deliveries.get('alice', eventId))?.deadReason, 'gone')
  })

  it('a fan-out that commits after the deletion of an account leaves no event of it', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using db = new Database({ url, log: silentLog, applicationName: 'between' })
    await addPeople(storage)
    const { hook } = await subscribe(storage)
    const { hook: other } = await subscribe(storage, { accountId: 'bob' })
    await storage.accounts.beginDeletion('alice', NOON)
    const { fanningOut } = await db.transaction(async (tx) => {
      await tx.run(LOCK_EVENT_SEQS.replace('_shared', ''))
      const fanningOut = enqueue(storage, [hook, other])
      await untilItWaits(url, fanningOut)
      assert.equal(await lastStep(storage), 'empty')
      return { fanningOut }
    })
    await fanningOut
    assert.deepEqual(await hooksOfEvents(db), [other.id])
  })

  it('the deletion of an account waits for a fan-out that has inserted its events', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using db = new Database({ url, log: silentLog, applicationName: 'between' })
    await addPeople(storage)
    const { hook } = await subscribe(storage, { id: 'api-2' })
    const { hook: other } = await subscribe(storage, { id: 'api-1', accountId: 'bob' })
    await storage.accounts.beginDeletion('alice', NOON)
    const { fanningOut, deleting } = await db.transaction(async (tx) => {
      // The fan-out waits for it after it inserted its events, and before it locks the lane of Alice.
      await runAsync(tx, lockLanes([other.id]))
      const fanningOut = enqueue(storage, [hook, other])
      await untilItWaits(url, fanningOut)
      const deleting = lastStep(storage)
      await untilItWaits(url, deleting, 2)
      return { fanningOut, deleting }
    })
    await fanningOut
    assert.equal(await deleting, 'waiting')
    assert.equal(await lastStep(storage), 'empty')
    assert.deepEqual(await hooksOfEvents(db), [other.id])
  })

  it('a step of the clock waits for a write that was computed before it, and moves its times', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using blocking = new Database({ url, log: silentLog, applicationName: 'blocking' })
    await storage.time.recordReading(NOON, HOUR)
    const blocked = { arrivalAtMs: 0, blockedUntil: after(MINUTE), blocks: 1, lastDetail: null }
    const { writing, stepping } = await blocking.transaction(async (tx) => {
      await tx.run("insert into pace (store, arrival_at_ms, blocks) values ('apple', 0, 0)")
      const writing = storage.pace.change('apple', instantOf(NOON.getTime(), 0), () => blocked)
      await untilItWaits(url, writing)
      const stepping = storage.time.step({ ...HOUR_BACK, extendLeases: false, confirmMs: null })
      await untilItWaits(url, stepping, 2)
      await tx.run("delete from pace where store = 'apple'")
      return { writing, stepping }
    })
    await Promise.all([writing, stepping])
    assert.deepEqual((await storage.pace.get('apple')).blockedUntil, after(MINUTE - HOUR))
  })

  it('a write that waits for a step of the clock is made with moved times', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await using stepping = new Database({ url, log: silentLog, applicationName: 'stepping' })
    await addPeople(storage)
    await storage.time.recordReading(NOON, HOUR)
    const { writing } = await stepping.transaction(async (tx) => {
      await tx.run('lock table clock in access exclusive mode')
      const writing = storage.atomFeeds.create(feedOf(instantOf(NOON.getTime(), 0)), 'a'.repeat(64), 9)
      await untilItWaits(url, writing)
      await tx.run('update clock set stepped_ms = $1', -HOUR)
      return { writing }
    })
    await writing
    assert.deepEqual(
      (await storage.atomFeeds.list('alice')).map(({ createdAt }) => createdAt),
      [after(-HOUR)],
    )
  })
})

const HOUR_BACK = { from: NOON, to: after(-HOUR), steps: 0, whileStopped: false } as const

const feedOf = (createdAt: Instant) =>
  ({ id: 'atom_1', accountId: 'alice', store: 'apple', appId: '1', createdAt }) as const

/** Deletes the account of Alice as far as possible. */
async function lastStep(storage: Storage): Promise<DeletionStep> {
  const step = await storage.accounts.deletionStep('alice', after(HOUR), 100)
  return step === 'more' ? lastStep(storage) : step
}

/** Of the events, each once. */
async function hooksOfEvents(db: Database): Promise<string[]> {
  return (await db.all<{ hook_id: string }>('select distinct hook_id from events')).map((row) => row.hook_id)
}

/** Resolves when as many statements wait for a lock, or when `done` ends without waiting. */
async function untilItWaits(url: string, done: Promise<unknown>, count = 1): Promise<void> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  done.then(end, end)
  while (!isDone) {
    const [row] = await server.query(
      `select count(*)::integer as waiting from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
      url,
    )
    isDone ||= row?.waiting === count
  }
}

/** Resolves after twenty round trips to the server: enough for a statement that does not wait for a lock. */
async function untilLocksWereRead(db: Database): Promise<'still waiting'> {
  for (let time = 0; time < 20; time += 1) await db.get('select count(*) from pg_locks')
  return 'still waiting'
}
