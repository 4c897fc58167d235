import assert from 'node:assert/strict'
import { after as afterAll, before, describe, it } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { eventIdOf } from '../../model/occurrence.ts'
import { silentLog } from '../../runtime/log.ts'
import { claim, enqueue, NO_CHANGE, retryAt, settledOf } from '../conformance/queue/queue-samples.ts'
import { addPeople, after, HOUR, NOON, subscribe } from '../conformance/samples.ts'
import { contentHashesOf } from '../tables/feeds/reviews.ts'
import { DUE_WORK } from '../tables/maintenance/depths.ts'
import { LANES_TO_CHECK, STUCK_OCCURRENCES } from '../tables/maintenance/invariants.ts'
import { eventWhere } from '../tables/queue/delivery-where.ts'
import { AWAITED, NOT_AWAITED, SELECT_EXPIRED_LEASES } from '../tables/queue/enrichments.ts'
import { seqsOfEvents } from '../tables/queue/events.ts'
import { SELECT_EXPIRED_RETRIES, SELECT_LANES_WITH_EXPIRED_FIRST } from '../tables/queue/sweeps.ts'
import { runAsync } from '../work.ts'
import { BETWEEN_TEXTS, Database, type Transaction } from './connect.ts'
import {
  ACCOUNTS_OF_FEEDS,
  DUE_BY_ACCOUNT,
  DUE_FEEDS,
  DUE_FEEDS_OF_MARKET,
  LEASE_FEEDS,
  SERVED_MAX,
} from './feeds/claim-feeds.ts'
import { openPostgres } from './open.ts'
import { LEASE, SELECT_READY_LANES, SOME_LANE, SYNC_NEXT_CLAIMS } from './queue/claims.ts'
import { eventsSql } from './queue/event-log.ts'
import { READY } from './queue/fanout.ts'
import { pageOf } from './queue/pages.ts'
import { RECORD_ATTEMPTS, UPDATE_DELIVERIES } from './queue/settle.ts'
import { FEATURE_COUNTS, REVIEW_COUNTS } from './reports/statistics.ts'

/** Pending deliveries in each of the two lanes, half of them with an attempt. */
const BACKLOG = 4_000

/** Accounts with feeds. */
const ACCOUNTS = 20

/** After some runs a prepared statement may get a generic plan, which must be efficient too. */
const RUNS = 12

const REVIEWS = `insert into reviews (fingerprint, store, app_id, review_id, market, rating, body, shown_at, content_hash,
     occurred_at, observed_at, enrich_at)
   select sha256(n::text::bytea), 'apple', '1', n::text, 'us', 1, '', 0, '', 0, 0, n from generate_series(1, $1::integer) n`

const OTHER_BACKLOGS = [
  `insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms)
   select 'apple', 'app ' || n, 'reviews', 'us', n, 1 from generate_series(1, $1::integer) n`,
  `insert into feed_accounts (feed_id, account_id, store, kind, next_poll_at)
   select id, 'account ' || id % ${ACCOUNTS}, store, kind, next_poll_at from feeds where id <= $1::integer on conflict do nothing`,
  `insert into poll_turns (store, kind, fresh, account_id)
   select distinct store, kind, 0, account_id from feed_accounts where feed_id <= $1::integer on conflict do nothing`,
  REVIEWS,
  `insert into occurrences (occurrence_id, market, event_type, store, app_id, occurred_at, observed_at, ready_at)
   select sha256(n::text::bytea), 'us', 'rating.dropped', 'apple', '1', 0, 0, n from generate_series(1, $1::integer) n`,
]

const DELIVERIES = [
  `insert into events (event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
   select sha256(n::text::bytea), '', h.account_id, h.id, 'review.created', 'apple', '1', 0, '{}'
   from generate_series(1, $1::integer) n cross join hooks h`,
  `insert into deliveries (seq, account_id, hook_id, status, due_at, expires_at)
   select e.seq, e.account_id, e.hook_id, 'pending', e.seq, 0 from events e where e.seq <= $1`,
]
let server: TestPostgres
let url = ''
let hookIds: string[] = []

/** Statements that run in every pass read a few rows of an index, so their cost does not depend on the backlog. */
describe('on PostgreSQL, with a backlog missing from its statistics,', () => {
  before(async () => {
    server = await startPostgres()
    url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await addPeople(storage)
    const hooks = [(await subscribe(storage)).hook, (await subscribe(storage)).hook]
    hookIds = hooks.map(({ id }) => id)
    await enqueue(storage, hooks, { count: BACKLOG / 2 })
    const tried = await claim(storage, { limit: BACKLOG })
    await storage.deliveries.settle(
      tried.map((delivery) => settledOf(delivery, retryAt(NOON))),
      NOON,
      () => NO_CHANGE,
    )
    await enqueue(storage, hooks, { count: BACKLOG / 2 })
    await using db = new Database({ url, log: silentLog, applicationName: 'test' })
    for (const sql of OTHER_BACKLOGS) await db.run(sql, BACKLOG)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('selecting lanes reads only lanes', async () => {
    const read = await rowsRead(async (tx) => {
      await tx.all(SELECT_READY_LANES, now(), [], [], 64)
      await tx.all(SOME_LANE, now(), [], [])
    })
    assert.ok(read <= 10, `${read} rows`)
  })

  it('claiming feeds reads the claimed rows and one row for each account', async () => {
    const read = await rowsRead(async (tx) => {
      await tx.all(DUE_BY_ACCOUNT, 'apple', 'reviews', BACKLOG, 4)
      await tx.all(SERVED_MAX, 'apple', 'reviews')
      await tx.all(DUE_FEEDS, 'apple', 'reviews', BACKLOG, 4)
      await tx.all(DUE_FEEDS_OF_MARKET, 'apple', 'reviews', BACKLOG, 1, 4)
      await tx.all(LEASE_FEEDS, [1, 2, 3, 4], BACKLOG, now(), 'lease')
    })
    assert.ok(read <= 2 * ACCOUNTS + 100, `${read} rows`)
  })

  it('the accounts of due feeds are read from these feeds', async () => {
    const read = await rowsRead((tx) => tx.all(ACCOUNTS_OF_FEEDS, 'apple', 'reviews', [1, 2, 3, 4]))
    assert.ok(read <= 12, `${read} rows`)
  })

  it('leasing reads only the leased rows', async () => {
    const read = await rowsRead((tx) =>
      tx.all(LEASE, hookIds, [8, 8], now(), false, 16, now() - HOUR, 'lease'),
    )
    // For each lane: two parts of the index, the rows again for the update, and their hooks and events.
    assert.ok(read <= 150, `${read} rows`)
  })

  it('updating lanes reads the first row of each part', async () => {
    const read = await rowsRead((tx) =>
      tx.run(SYNC_NEXT_CLAIMS, hookIds, [null, null], [null, null], now(), [false, false]),
    )
    assert.ok(read <= 20, `${read} rows`)
  })

  it('due work is read from the first entries of indexes', async () => {
    const read = await rowsRead((tx) => tx.all(DUE_WORK.postgres))
    assert.ok(read <= 10, `${read} rows`)
  })

  it('a search for expired deliveries reads the first rows of postponed lanes', async () => {
    const read = await rowsRead(async (tx) => {
      await tx.run('update lanes set deferred_until = $1', now() + HOUR)
      await tx.all(SELECT_EXPIRED_RETRIES.postgres, now(), now(), 100)
      await tx.all(SELECT_LANES_WITH_EXPIRED_FIRST.postgres, now(), now(), 100)
    })
    assert.ok(read <= 20, `${read} rows`)
  })

  it('a check of invariants reads the first rows of queues', async () => {
    const read = await rowsRead(async (tx) => {
      await tx.all(LANES_TO_CHECK.postgres, '')
      await tx.all(STUCK_OCCURRENCES, 10)
    })
    // For two hooks: the first rows of both parts, and each first row once more.
    assert.ok(read <= 2 * (2 * 32 + 10) + 20, `${read} rows`)
  })

  it('claiming texts and occurrences reads only the claimed rows', async () => {
    const read = await rowsRead(async (tx) => {
      await tx.all(SELECT_EXPIRED_LEASES.postgres, 10, now())
      await tx.all(AWAITED.postgres, 10)
      await tx.all(NOT_AWAITED.postgres, 10)
      await tx.all(READY, now(), 10)
    })
    assert.ok(read <= 40, `${read} rows`)
  })

  it('a page of deliveries is read in order until it is full, even with a filter', async () => {
    const page = { limit: 10, before: null }
    for (const filter of [{}, { status: 'pending' }, { store: 'apple' }]) {
      const where = eventWhere('alice', filter)
      for (const each of [page, { limit: 10, after: null }]) {
        const read = await rowsRead((tx) => pageOf(tx, where, each))
        assert.ok(read <= 200, `${read} rows, filtered by ${Object.keys(filter)}`)
      }
    }
  })

  it('a page of pulled events is read in order until it is full, even with a filter', async () => {
    for (const filter of [{}, { hookId: hookIds[0] ?? '' }, { store: 'apple' }]) {
      const where = eventWhere('alice', filter)
      const read = await rowsRead((tx) => tx.all(eventsSql(where), ...where.values, 0, BACKLOG, 10))
      assert.ok(read <= 20, `${read} rows, filtered by ${Object.keys(filter)}`)
    }
  })

  it('figures over time read no row outside their period', async () => {
    const [from, to] = [now(), now() + HOUR]
    const read = await rowsRead(async (tx) => {
      await tx.all(REVIEW_COUNTS, ['apple'], ['1'], ['us'], from, to)
      await tx.all(FEATURE_COUNTS, ['apple'], ['1'], ['us'], from, to)
    })
    assert.equal(read, 0)
  })

  it('the events of an occurrence are found without reading all events', async () => {
    const read = await rowsRead((tx) =>
      runAsync(tx, seqsOfEvents(hookIds.map((id) => eventIdOf(id, '00'.repeat(32))))),
    )
    assert.ok(read <= hookIds.length, `${read} rows`)
  })

  it('a plan made for an empty table still reads only the selected rows later', async () => {
    await using db = new Database({
      url: await server.newMigratedDatabase(),
      log: silentLog,
      applicationName: 'test',
    })
    await db.transaction(async (tx) => {
      for (let run = 0; run < RUNS; run += 1) await runAsync(tx, contentHashesOf(['00'.repeat(32)]))
      await tx.run(REVIEWS, BACKLOG)
      const before = await rowsReadBy(tx)
      await runAsync(tx, contentHashesOf(['00'.repeat(32)]))
      assert.equal((await rowsReadBy(tx)) - before, 0)
    })
  })

  it('plans that were cached for empty tables read only the selected rows of full ones', async () => {
    const url = await server.newMigratedDatabase()
    await using storage = await openPostgres({ url })
    await addPeople(storage)
    const { hook } = await subscribe(storage)
    await using db = new Database({ url, log: silentLog, applicationName: 'test' })
    const seqs = Array.from({ length: 16 }, (_, index) => index + 1)
    const each = (value: string | number | null) => seqs.map(() => value)
    const sendSome = async (tx: Transaction) => {
      await tx.all(LEASE, [hook.id], [16], now(), false, 16, now() + HOUR, 'lease')
      await tx.run(
        UPDATE_DELIVERIES,
        seqs,
        each('lease'),
        each('delivered'),
        each(null),
        each(null),
        each(200),
        each(null),
        now(),
        each(0),
        each(null),
        each(0),
      )
      await tx.run(RECORD_ATTEMPTS, seqs, each('{}').join(BETWEEN_TEXTS))
    }
    await db.transaction(async (tx) => {
      for (let run = 0; run < RUNS; run += 1) await sendSome(tx)
      for (const sql of DELIVERIES) await tx.run(sql, BACKLOG)
      const before = await rowsReadBy(tx)
      await sendSome(tx)
      const read = (await rowsReadBy(tx)) - before
      assert.deepEqual(await tx.get("select count(*) from deliveries where status = 'delivered'"), {
        count: 16,
      })
      assert.ok(read <= 150, `${read} rows`)
    })
  })

  it('a statement that reads the backlog is detected', async () => {
    const read = await rowsRead((tx) =>
      tx.all(
        "select count(lease) from deliveries where hook_id = $1 and status = 'pending'",
        hookIds[0] ?? '',
      ),
    )
    assert.ok(read >= BACKLOG, `${read} rows`)
  })
})

const now = () => after(2 * HOUR).getTime()

/** The average number of rows that one run of `body` reads. Rolls back at the end. */
async function rowsRead(body: (tx: Transaction) => Promise<unknown>): Promise<number> {
  await using db = new Database({ url, log: silentLog, applicationName: 'test' })
  let read = 0
  const done = new Error('roll back')
  const rounds = db.transaction(async (tx) => {
    for (let run = 0; run < RUNS; run += 1) await body(tx)
    read = (await rowsReadBy(tx)) / RUNS
    throw done
  })
  await assert.rejects(rounds, done)
  return read
}

/** The rows read since the start of the transaction. */
async function rowsReadBy(tx: Transaction): Promise<number> {
  const row = await tx.get<{ rows: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_xact_user_tables
     where schemaname = current_schema()`,
  )
  return row?.rows ?? Number.NaN
}
