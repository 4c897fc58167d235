import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../runtime/clock.ts'
import { eventWhere } from '../delivery-where.ts'
import {
  DUE_ACCOUNTS,
  DUE_FEEDS,
  DUE_FEEDS_OF_MARKET,
  DUE_OF_ACCOUNT,
  LEASE_FEEDS,
  SERVED_MAX,
} from './claim-feeds.ts'
import { DUE_OF_LANE, LANES_WHOSE_TURN_IT_IS } from './claims.ts'
import { Connection } from './connect.ts'
import { deadWhere, LETTERS_AND_EVENTS, tablesOf } from './dead-letters.ts'
import { EVENTS, pageSql } from './deliveries.ts'
import { AWAITED, LEASES_THAT_ENDED, NOT_AWAITED } from './enrichments.ts'
import { READY } from './fanout.ts'
import {
  EVENTS_TO_CHECK,
  FURTHEST_ENRICHMENT_LEASES,
  FURTHEST_POLL_LEASES,
  LANES_TO_CHECK,
  STUCK_OCCURRENCES,
} from './invariants.ts'
import { LEAST_DUE } from './lanes.ts'
import { migrateSqlite } from './migrate.ts'
import { SEEN_IN_APP, SEEN_OF } from './seen.ts'
import { LANES_WHOSE_FIRST_IS_PAST_ITS_END, RETRIED_PAST_THEIR_END } from './sweeps.ts'
import { DUE_WORK } from './upkeep.ts'

/**
 * What runs at every pass costs the same however much is waiting: it searches indexes and reads their first rows.
 * A plan that scans a table, or sorts what it found, would not.
 */
const HOT: Record<string, string> = {
  DUE_ACCOUNTS,
  DUE_OF_ACCOUNT,
  SERVED_MAX,
  DUE_FEEDS,
  DUE_FEEDS_OF_MARKET,
  LEASE_FEEDS,
  SEEN_OF,
  SEEN_IN_APP,
  LANES_WHOSE_TURN_IT_IS,
  DUE_OF_LANE,
  LEAST_DUE,
  DUE_WORK,
  READY,
  LEASES_THAT_ENDED,
  AWAITED,
  NOT_AWAITED,
  RETRIED_PAST_THEIR_END,
  LANES_WHOSE_FIRST_IS_PAST_ITS_END,
  LANES_TO_CHECK,
  EVENTS_TO_CHECK,
  FURTHEST_POLL_LEASES,
  FURTHEST_ENRICHMENT_LEASES,
  STUCK_OCCURRENCES,
}

async function open(): Promise<Connection> {
  const db = new Connection(':memory:')
  await migrateSqlite(db, systemClock, 'test')
  return db
}

function plan(db: Connection, sql: string): string[] {
  return db.all<{ detail: string }>(`explain query plan ${sql}`).map(({ detail }) => detail)
}

/** Lists that we pass ourselves, and lists of a few rows that were looked up before, are no scan of a table. */
function costly(details: readonly string[]): string[] {
  return details.filter(
    (detail) =>
      (/^SCAN /.test(detail) && !/^SCAN (json_each|\(subquery|CONSTANT ROW)/.test(detail)) ||
      /TEMP B-TREE/.test(detail),
  )
}

describe('on SQLite', () => {
  for (const [name, sql] of Object.entries(HOT)) {
    it(`${name} scans no table and sorts nothing`, async () => {
      using db = await open()
      assert.deepEqual(costly(plan(db, sql)), [])
    })
  }

  it('a plan that scans or sorts would be noticed', async () => {
    using db = await open()
    assert.equal(costly(plan(db, 'select seq from deliveries where lease is null')).length, 1)
    assert.equal(costly(plan(db, 'select seq from events where hook_id = ? order by created_at')).length, 1)
  })

  it('a page of deliveries is read in order from the index of its hook or its account', async () => {
    using db = await open()
    const page = (filter: Parameters<typeof eventWhere>[1]) => {
      const details = plan(
        db,
        pageSql(
          EVENTS,
          eventWhere('alice', filter, (place) => `?${place}`),
        ),
      )
      assert.deepEqual(costly(details), [])
      return details.find((detail) => detail.startsWith('SEARCH e '))
    }
    assert.equal(page({}), 'SEARCH e USING INDEX events_account (account_id=? AND seq<?)')
    assert.equal(page({ hookId: 'h' }), 'SEARCH e USING INDEX events_hook (hook_id=? AND seq<?)')
  })

  it('a page of dead letters is read from their own index', async () => {
    using db = await open()
    const details = plan(db, pageSql(LETTERS_AND_EVENTS, deadWhere('alice', { hookId: 'h' })))
    assert.deepEqual(costly(details), [])
    assert.ok(details.includes('SEARCH d USING INDEX deliveries_dead (account_id=? AND seq<?)'), `${details}`)
    assert.ok(details.includes('SEARCH e USING INTEGER PRIMARY KEY (rowid=?)'), `${details}`)
  })

  it('counting dead letters looks at no event', async () => {
    using db = await open()
    const where = deadWhere('alice', { hookId: 'h' })
    assert.deepEqual(plan(db, `select count(*) from ${tablesOf(where)} where ${where.sql}`), [
      'SEARCH d USING INDEX deliveries_dead (account_id=?)',
    ])
  })
})
