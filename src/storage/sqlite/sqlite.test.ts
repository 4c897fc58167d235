import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { systemClock } from '../../runtime/clock.ts'
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
import { Connection } from './connect.ts'
import { migrateSqlite, SQLITE_MIGRATIONS } from './migrate.ts'
import { openSqlite } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-sqlite-'))
let opened = 0
const file = () => join(folder, `${opened}.db`)
const engine: Engine = {
  open: () => {
    opened += 1
    return engine.openAgain()
  },
  openAgain: () => openSqlite({ file: file() }),
}

async function openRaw(): Promise<RawDatabase> {
  opened += 1
  const db = new Connection(file())
  return {
    migrate: (migrations) => migrateSqlite(db, systemClock, 'test', migrations),
    exec: async (sql) => db.exec(sql),
    rows: async (sql) => db.all(sql),
    tables: async () =>
      db
        .all<{ name: string }>("select name from sqlite_schema where type = 'table' order by name")
        .map(({ name }) => name),
    [Symbol.asyncDispose]: async () => db[Symbol.dispose](),
  }
}

async function ratingHistory(): Promise<number[]> {
  using db = new Connection(file())
  return db.all<{ count: number }>('select count from ratings order by observed_at').map(({ count }) => count)
}

describe('SQLite', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  migrationsSuite({ folder: SQLITE_MIGRATIONS, bytes: 'blob', openRaw })
  accountLimitsSuite(engine)
  accountsSuite(engine)
  hooksSuite(engine)
  coverageSuite(engine)
  fairPollsSuite(engine)
  feedsSuite(engine)
  pollsSuite(engine)
  quarantineSuite(engine)
  reviewsSuite(engine)
  ratingsSuite(engine, ratingHistory)
  paceSuite(engine)
  marksSuite(engine)
  processesSuite(engine, () => `sqlite:${file()}`)
})
