import { type Clock, systemClock } from '../../runtime/clock.ts'
import { type Log, silentLog } from '../../runtime/log.ts'
import { movingInstants } from '../clock-steps.ts'
import type { Storage } from '../port/storage.ts'
import { parts } from '../tables/parts.ts'
import { dateOf } from '../values.ts'
import { type Db, native, runAsync } from '../work.ts'
import { Database, type Transaction } from './connect.ts'
import { claimFeeds } from './feeds/claim-feeds.ts'
import { databaseStorage } from './maintenance/maintenance.ts'
import { migratePostgres } from './migrate.ts'
import { claim, release } from './queue/claims.ts'
import { eventsAfter } from './queue/event-log.ts'
import { fanOut } from './queue/fanout.ts'
import { pageOf } from './queue/pages.ts'
import { changeLanes, settle } from './queue/settle.ts'
import { appReport, reviewBuckets } from './reports/app-figures.ts'
import { reviewFeed } from './reports/review-feed.ts'
import { reviewStatistics } from './reports/statistics.ts'
import { Wake } from './wake.ts'

/**
 * Opens a PostgreSQL database, which any number of nodes can share, and migrates it to the newest schema. Throws
 * `SchemaError` for a database of a newer version, of one before 0.5.0 or of another program, and `StorageUnavailable` for one that cannot
 * be reached. Lost connections are replaced automatically; until then methods throw `StorageUnavailable`.
 */
export async function openPostgres(options: {
  readonly url: string
  readonly log?: Log
  readonly clock?: Clock
  /** Replaces the server's clock, for tests. */
  readonly databaseNow?: (() => Date) | undefined
  readonly serviceVersion?: string
}): Promise<Storage> {
  const { url, log = silentLog, clock = systemClock, databaseNow, serviceVersion = 'unknown' } = options
  const applicationName = `review-radar ${serviceVersion}`
  const wake = new Wake({ url, applicationName, clock, log })
  const db = new Database({ url, log, applicationName, onWork: () => wake.notify(db) })
  const close = async () => {
    await wake[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  }
  try {
    await migratePostgres(db, clock, serviceVersion)
  } catch (error) {
    await close()
    throw error
  }
  const all = parts(
    postgresDb(db),
    {
      now: async () => databaseNow?.() ?? serverNow(db),
      feeds: { claim: (request) => claimFeeds(db, request) },
      occurrences: { fanOut: (...given) => fanOut(db, ...given) },
      deliveries: {
        claim: (...given) => claim(db, ...given),
        release: (deliveries) => release(db, deliveries),
        settle: (...given) => settle(db, ...given),
        changeLanes: (...given) => changeLanes(db, ...given),
        eventsAfter: (...given) => eventsAfter(db, ...given),
      },
      pageOf: (...given) => pageOf(db, ...given),
      maintenance: databaseStorage(db),
      reports: { ...appReport(db), ...reviewFeed(db) },
      reviewBuckets: (...given) => native((tx: Transaction) => reviewBuckets(tx, ...given)),
      statistics: reviewStatistics(db),
    },
    clock.now,
  )
  return movingInstants({
    engine: 'postgres',
    ...all,
    onWake: (listener) => wake.onWake(listener),
    [Symbol.asyncDispose]: close,
  })
}

/** The server's time in whole milliseconds, like every stored instant. */
async function serverNow(db: Database): Promise<Date> {
  const row = await db.get<{ ms: number }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
  )
  if (row === undefined) throw new Error('the server did not return its time')
  return dateOf(row.ms)
}

/** For the tables. A body that runs again, after a deadlock, begins as a new generator. */
export function postgresDb(db: Database): Db {
  return {
    transaction: (body) => db.transaction((tx) => runAsync(tx, body())),
    transactionFor: async (find, body) => {
      const found = await runAsync(db, find())
      return found === undefined ? undefined : db.transaction((tx) => runAsync(tx, body(found)))
    },
    snapshot: (body) => db.snapshot((tx) => runAsync(tx, body())),
    alone: (work) => runAsync(db, work),
    step: (body) => runAsync(db, body()),
  }
}
