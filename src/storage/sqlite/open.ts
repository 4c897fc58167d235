import { setImmediate } from 'node:timers/promises'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { movingInstants } from '../clock-steps.ts'
import type { Storage } from '../port/storage.ts'
import { parts } from '../tables/parts.ts'
import { type Db, native, runSync, type Work } from '../work.ts'
import { Connection } from './connect.ts'
import type { LogFile } from './disk-sync.ts'
import { claimFeeds } from './feeds/claim-feeds.ts'
import { LockQueue, waitingForLocks } from './lock-queue.ts'
import { fileStorage } from './maintenance/maintenance.ts'
import { ServiceLock } from './maintenance/service-lock.ts'
import { migrateSqlite } from './migrate.ts'
import { claim, release } from './queue/claims.ts'
import { eventsAfter } from './queue/event-log.ts'
import { fanOut } from './queue/fanout.ts'
import { pages } from './queue/pages.ts'
import { changeLanes, settle } from './queue/settle.ts'
import { appReport, reviewBuckets } from './reports/app-figures.ts'
import { reviewFeed } from './reports/review-feed.ts'
import { reviewStatistics } from './reports/statistics.ts'

/**
 * Opens a SQLite file and migrates it to the newest schema. Throws `SchemaError` for a file of a newer version, of one before
 * 0.5.0 or of another program, and `StorageUnavailable` for one that cannot be read or written. While another process has the file
 * locked, every method waits without blocking the process and throws `StorageLocked` after ten seconds.
 */
export async function openSqlite(options: {
  readonly file: string
  readonly clock?: Clock
  /** Replaces the database's time, for tests. */
  readonly databaseNow?: (() => Date) | undefined
  readonly serviceVersion?: string
  /** False: nothing waits for the disk, for a file that is deleted with the service. */
  readonly durable?: boolean | undefined
  /** Replaces the file of the write-ahead log, for tests. */
  readonly openLog?: (file: string) => LogFile
}): Promise<Storage> {
  const { file, clock = systemClock, databaseNow = clock.now, serviceVersion = 'unknown' } = options
  const db = await connect(file, options.durable === false ? null : options.openLog)
  try {
    await migrateSqlite(db, clock, serviceVersion)
    await db.onDisk()
    db.queue.isWriteRefusedOutsideCall = true
  } catch (error) {
    db[Symbol.dispose]()
    throw error
  }
  const lock = new ServiceLock(file)
  const all = parts(
    sqliteDb(db),
    {
      // SQLite has no clock.
      now: async () => databaseNow(),
      feeds: { claim: async (request) => claimFeeds(db, request) },
      occurrences: { fanOut: async (...given) => fanOut(db, ...given) },
      deliveries: {
        claim: async (...given) => claim(db, ...given),
        release: async (deliveries) => release(db, deliveries),
        settle: async (...given) => settle(db, ...given),
        changeLanes: async (...given) => changeLanes(db, ...given),
        eventsAfter: (...given) => eventsAfter(db, ...given),
      },
      pageOf: pages(db),
      maintenance: fileStorage(db, lock),
      reports: { ...appReport(db), ...reviewFeed(db) },
      reviewBuckets: (...given) => native((db: Connection) => reviewBuckets(db, ...given)),
      statistics: reviewStatistics(db),
    },
    clock.now,
  )
  return movingInstants({
    engine: 'sqlite',
    ...waitingForLocks(db.queue, all, (part, method) =>
      // A claim must be fast, and only the bytes that it sends must be on the disk.
      part === 'deliveries' && method === 'claim' ? db.eventsOnDisk() : db.onDisk(),
    ),
    onWake: () => () => {},
    [Symbol.asyncDispose]: async () => {
      db[Symbol.dispose]()
      lock[Symbol.dispose]()
    },
  })
}

/** Opening reads the file, so it must wait for locks too. */
async function connect(file: string, openLog?: ((file: string) => LogFile) | null): Promise<Connection> {
  const queue = new LockQueue(file)
  try {
    return await queue.run(async () => new Connection(file, openLog))
  } finally {
    queue.close()
  }
}

/** For the tables. A generator cannot await, so its body is synchronous, as transactions here require. */
export function sqliteDb(db: Connection): Db {
  const inOne = <T>(kind: 'transaction' | 'snapshot', body: () => Work<T>) =>
    db[kind](() => ({ result: runSync(db, body()) })).result
  return {
    transaction: async (body) => inOne('transaction', body),
    transactionFor: async (find, body) => {
      const found = runSync(db, find())
      return found === undefined ? undefined : inOne('transaction', () => body(found))
    },
    snapshot: async (body) => inOne('snapshot', body),
    alone: async (work) => runSync(db, work),
    step: async (body) => {
      await setImmediate()
      return db.whenUnlocked(() => runSync(db, body()))
    },
  }
}
