import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../runtime/clock.ts'
import { RATING_POLLS_PER_DAY, REVIEW_FEEDS_BY_RATE } from '../tables/feeds/feeds.ts'
import { SEEN_IN_APP, SEEN_OF } from '../tables/feeds/seen.ts'
import { DUE_WORK } from '../tables/maintenance/depths.ts'
import {
  EVENTS_TO_CHECK,
  FURTHEST_ENRICHMENT_LEASES,
  FURTHEST_POLL_LEASES,
  LANES_TO_CHECK,
  STUCK_OCCURRENCES,
} from '../tables/maintenance/invariants.ts'
import { deadLetterWhere, eventWhere, tablesOf } from '../tables/queue/delivery-where.ts'
import { AWAITED, NOT_AWAITED, SELECT_EXPIRED_LEASES } from '../tables/queue/enrichments.ts'
import { BEYOND_NEWEST, INBOXES_AMONG } from '../tables/queue/events.ts'
import { LEAST_DUE } from '../tables/queue/lanes.ts'
import { SELECT_EXPIRED_RETRIES, SELECT_LANES_WITH_EXPIRED_FIRST } from '../tables/queue/sweeps.ts'
import { PER_HOUR, RECENT } from '../tables/queue/watch-history.ts'
import { NOTABLE_DROPS } from '../tables/reports/drops.ts'
import { RATINGS_OF_FEED } from '../tables/reports/statistics.ts'
import type { Sql } from '../work.ts'
import { Connection } from './connect.ts'
import {
  ACCOUNTS_OF_FEEDS,
  DUE_ACCOUNTS,
  DUE_FEEDS,
  DUE_FEEDS_OF_MARKET,
  DUE_OF_ACCOUNT,
  LEASE_FEEDS,
  SERVED_MAX,
} from './feeds/claim-feeds.ts'
import { migrateSqlite } from './migrate.ts'
import { DUE_OF_LANE, SELECT_READY_LANES } from './queue/claims.ts'
import { eventsSql } from './queue/event-log.ts'
import { READY, SEQ_OF_EVENT } from './queue/fanout.ts'
import { pageSql } from './queue/pages.ts'
import { DAYS, GROUPS, REQUESTS, THEMES } from './reports/app-figures.ts'
import { FEATURE_COUNTS, REVIEW_COUNTS } from './reports/statistics.ts'

/**
 * Statements that run in every pass. They read the first rows of an index, so their cost does not depend on the
 * backlog. A table scan or a sort would.
 */
const HOT_STATEMENTS: Record<string, Sql> = {
  DUE_ACCOUNTS,
  DUE_OF_ACCOUNT,
  SERVED_MAX,
  DUE_FEEDS,
  DUE_FEEDS_OF_MARKET,
  LEASE_FEEDS,
  SEEN_OF,
  SEEN_IN_APP,
  SELECT_READY_LANES,
  DUE_OF_LANE,
  LEAST_DUE,
  DUE_WORK,
  READY,
  INBOXES_AMONG,
  BEYOND_NEWEST,
  SELECT_EXPIRED_LEASES,
  AWAITED,
  NOT_AWAITED,
  SELECT_EXPIRED_RETRIES,
  SELECT_LANES_WITH_EXPIRED_FIRST,
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

function plan(db: Connection, sql: Sql): string[] {
  const text = typeof sql === 'string' ? sql : sql.sqlite
  return db.all<{ detail: string }>(`explain query plan ${text}`).map(({ detail }) => detail)
}

/** The table scans and sorts of a plan. Scans of list parameters, subqueries or a few selected rows do not count. */
function scansAndSorts(details: readonly string[]): string[] {
  const subqueries = details.flatMap((detail) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? [])
  const others = ['json_each', '(subquery', 'CONSTANT ROW', ...subqueries].map((table) => `SCAN ${table}`)
  return details.filter(
    (detail) =>
      (detail.startsWith('SCAN ') && !others.some((scan) => detail.startsWith(scan))) ||
      /TEMP B-TREE/.test(detail),
  )
}

describe('on SQLite', () => {
  for (const [name, sql] of Object.entries(HOT_STATEMENTS)) {
    it(`${name} needs no table scan and no sort`, async () => {
      using db = await open()
      assert.deepEqual(scansAndSorts(plan(db, sql)), [])
    })
  }

  it('a plan with a table scan or a sort is detected', async () => {
    using db = await open()
    assert.equal(scansAndSorts(plan(db, 'select seq from deliveries where lease is null')).length, 1)
    assert.equal(
      scansAndSorts(plan(db, 'select seq from events where hook_id = ? order by created_at')).length,
      1,
    )
  })

  it('an event is found by one search in each part of the index', async () => {
    using db = await open()
    assert.deepEqual(plan(db, SEQ_OF_EVENT).slice(-2), [
      'SCAN parts',
      'SEARCH e USING COVERING INDEX events_id (<expr>=? AND event_id=?)',
    ])
  })

  it('the demand of feeds is read from an index alone', async () => {
    using db = await open()
    for (const sql of [`select reviews_per_day, count(*) ${REVIEW_FEEDS_BY_RATE}`, RATING_POLLS_PER_DAY]) {
      assert.match(
        plan(db, sql).join(),
        /^SEARCH feeds USING COVERING INDEX feeds_demand \(store=\? AND kind=\?\)$/,
      )
    }
  })

  it('negative reviews are found by the index of their app, and counted without their rows', async () => {
    using db = await open()
    const index = 'INDEX reviews_app (store=? AND app_id=? AND occurred_at>? AND occurred_at<?)'
    assert.deepEqual(plan(db, RECENT), [`SEARCH reviews USING ${index}`])
    assert.equal(plan(db, PER_HOUR)[0], `SEARCH reviews USING COVERING ${index}`)
  })

  it('the accounts of due feeds are read from these feeds', async () => {
    using db = await open()
    const details = plan(db, ACCOUNTS_OF_FEEDS)
    assert.deepEqual(details, [
      'SCAN due VIRTUAL TABLE INDEX 1:',
      'SEARCH a USING PRIMARY KEY (feed_id=?)',
      'SEARCH t USING PRIMARY KEY (store=? AND kind=? AND fresh=? AND account_id=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ])
  })

  it('a page of deliveries is read in order from the index of its hook or its account', async () => {
    using db = await open()
    const page = (filter: Parameters<typeof eventWhere>[1], isUp = false) => {
      const where = eventWhere('alice', filter)
      const details = plan(db, pageSql(where, { isUp }))
      assert.deepEqual(scansAndSorts(details), [])
      return details.find((detail) => detail.startsWith('SEARCH e '))
    }
    assert.equal(page({}), 'SEARCH e USING INDEX events_account (account_id=? AND seq<?)')
    assert.equal(page({ hookId: 'h' }), 'SEARCH e USING INDEX events_hook (hook_id=? AND seq<?)')
    assert.equal(page({}, true), 'SEARCH e USING INDEX events_account (account_id=? AND seq>?)')
  })

  it('a page of dead letters is read from their own index', async () => {
    using db = await open()
    const details = plan(db, pageSql(deadLetterWhere('alice', { hookId: 'h' })))
    assert.deepEqual(scansAndSorts(details), [])
    assert.ok(details.includes('SEARCH d USING INDEX deliveries_dead (account_id=? AND seq<?)'), `${details}`)
    assert.ok(details.includes('SEARCH e USING INTEGER PRIMARY KEY (rowid=?)'), `${details}`)
  })

  it('rating drops are read from the index of their app', async () => {
    using db = await open()
    const details = plan(db, `select * ${NOTABLE_DROPS.sqlite}`)
    const index =
      'occurrences_app (store=? AND app_id=? AND event_type=? AND observed_at>? AND observed_at<?)'
    assert.ok(details.includes(`SEARCH o USING INDEX ${index}`), `${details}`)
    assert.ok(
      details.some((detail) => /^SEARCH w USING INDEX watches_(account|app) /.test(detail)),
      `${details}`,
    )
  })

  it('events are pulled in order from the index of their hook or their account', async () => {
    using db = await open()
    const search = (filter: Parameters<typeof eventWhere>[1]) => {
      const details = plan(db, eventsSql(eventWhere('alice', filter)))
      assert.deepEqual(scansAndSorts(details), [])
      return details[0]
    }
    assert.equal(search({}), 'SEARCH e USING INDEX events_account (account_id=? AND seq>? AND seq<?)')
    assert.equal(search({ hookId: 'h' }), 'SEARCH e USING INDEX events_hook (hook_id=? AND seq>? AND seq<?)')
  })

  it('figures over time read only indexes, within the period', async () => {
    using db = await open()
    assert.deepEqual(scansAndSorts(plan(db, RATINGS_OF_FEED)), [])
    const [counts = '', features = ''] = [REVIEW_COUNTS, FEATURE_COUNTS].map((sql) => plan(db, sql)[0])
    const period = '(store=? AND app_id=? AND occurred_at>? AND occurred_at<?)'
    assert.equal(counts, `SEARCH r USING COVERING INDEX reviews_app ${period}`)
    assert.equal(features, `SEARCH r USING COVERING INDEX reviews_requests ${period}`)
  })

  it("the figures of an app's page read only indexes", async () => {
    using db = await open()
    const app = 'store=? AND app_id=? AND occurred_at>? AND occurred_at<?'
    for (const sql of [DAYS, THEMES, GROUPS]) {
      const details = plan(db, sql)
      assert.ok(details.includes(`SEARCH r USING COVERING INDEX reviews_app (${app})`), `${details}`)
    }
    const details = plan(db, REQUESTS)
    assert.ok(
      details.some((detail) => detail.startsWith('SEARCH r USING COVERING INDEX reviews_requests')),
      `${details}`,
    )
  })

  it('counting dead letters reads no event', async () => {
    using db = await open()
    const where = deadLetterWhere('alice', { hookId: 'h' })
    assert.deepEqual(plan(db, `select count(*) from ${tablesOf(where).sqlite} where ${where.sql}`), [
      'SEARCH d USING INDEX deliveries_dead (account_id=?)',
    ])
  })
})
