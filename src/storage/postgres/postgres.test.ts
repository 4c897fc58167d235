import { after, before, describe } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { systemClock } from '../../runtime/clock.ts'
import { silentLog } from '../../runtime/log.ts'
import { accountLimitsSuite } from '../conformance/account-limits.ts'
import { accountsSuite } from '../conformance/accounts.ts'
import { coverageSuite } from '../conformance/coverage.ts'
import { fairPollsSuite } from '../conformance/fair-polls.ts'
import { feedsSuite } from '../conformance/feeds.ts'
import type { Engine } from '../conformance/harness.ts'
import { hooksSuite } from '../conformance/hooks.ts'
import { marksSuite } from '../conformance/marks.ts'
import { migrationsSuite, type RawDatabase } from '../conformance/migrations.ts'
import { paceSuite } from '../conformance/pace.ts'
import { pollsSuite } from '../conformance/polls.ts'
import { processesSuite } from '../conformance/processes.ts'
import { quarantineSuite } from '../conformance/quarantine.ts'
import { ratingsSuite } from '../conformance/ratings.ts'
import { reviewsSuite } from '../conformance/reviews.ts'
import { Database } from './connect.ts'
import { migratePostgres, POSTGRES_MIGRATIONS } from './migrate.ts'
import { openPostgres } from './open.ts'

let server: TestPostgres
let url = ''
const engine: Engine = {
  open: async () => {
    url = await server.newSchema()
    return engine.openAgain()
  },
  openAgain: () => openPostgres({ url }),
}

async function openRaw(): Promise<RawDatabase> {
  const db = new Database({ url: await server.newSchema(), log: silentLog, applicationName: 'test' })
  return {
    migrate: (migrations) => migratePostgres(db, systemClock, 'test', migrations),
    exec: (sql) => db.transaction((tx) => tx.exec(sql)),
    rows: (sql) => db.all(sql),
    tables: async () => {
      const rows = await db.all<{ name: string }>(
        'select tablename::text as name from pg_tables where schemaname = current_schema() order by 1',
      )
      return rows.map(({ name }) => name)
    },
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

async function ratingHistory(): Promise<number[]> {
  await using db = new Database({ url, log: silentLog, applicationName: 'test' })
  const rows = await db.all<{ count: number }>('select count from ratings order by observed_at')
  return rows.map(({ count }) => count)
}

describe('PostgreSQL', () => {
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  migrationsSuite({ folder: POSTGRES_MIGRATIONS, bytes: 'bytea', openRaw })
  accountLimitsSuite(engine)
  accountsSuite(engine)
  hooksSuite(engine)
  marksSuite(engine)
  coverageSuite(engine)
  fairPollsSuite(engine)
  feedsSuite(engine)
  pollsSuite(engine)
  quarantineSuite(engine)
  reviewsSuite(engine)
  ratingsSuite(engine, ratingHistory)
  paceSuite(engine)
  processesSuite(engine, () => url)
})
