import { type Clock, systemClock } from '../../runtime/clock.ts'
import { movingInstants } from '../clock-steps.ts'
import type { OccurrenceStorage } from '../port/occurrences.ts'
import type { Storage } from '../port/storage.ts'
import { sharedParts } from '../tables/parts.ts'
import { alertStorage } from './alerts/alerts.ts'
import { Connection } from './connect.ts'
import { sqliteDb } from './db.ts'
import type { LogFile } from './disk-sync.ts'
import { feedStorage } from './feeds/feeds.ts'
import { paceStorage } from './feeds/pace.ts'
import { reviewHistoryStorage } from './feeds/review-histories.ts'
import { reviewSourceStorage } from './feeds/review-sources.ts'
import { LockQueue, waitingForLocks } from './lock-queue.ts'
import { fileStorage } from './maintenance/maintenance.ts'
import { ServiceLock } from './maintenance/service-lock.ts'
import { timeStorage } from './maintenance/time.ts'
import { migrateSqlite } from './migrate.ts'
import { sqliteSteps } from './native-steps.ts'
import { deadLetterStorage } from './queue/dead-letters.ts'
import { deliveryStorage } from './queue/deliveries.ts'
import { fanOut } from './queue/fanout.ts'
import { appReport } from './reports/app-figures.ts'
import { importStorage } from './reports/imports.ts'
import { reviewFeed } from './reports/review-feed.ts'
import { reviewStatistics } from './reports/statistics.ts'

type FanOut = OccurrenceStorage['fanOut']

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
  } catch (error) {
    db[Symbol.dispose]()
    throw error
  }
  const lock = new ServiceLock(file)
  const shared = sharedParts(sqliteDb(db), sqliteSteps)
  const parts = {
    ...shared,
    reviewHistories: reviewHistoryStorage(db),
    reviewSources: reviewSourceStorage(db),
    feeds: feedStorage(db, clock),
    pace: paceStorage(db),
    occurrences: {
      ...shared.occurrences,
      fanOut: async (...given: Parameters<FanOut>) => fanOut(db, ...given),
    },
    deliveries: deliveryStorage(db),
    deadLetters: deadLetterStorage(db),
    alerts: alertStorage(db),
    maintenance: { ...shared.maintenance, ...fileStorage(db, lock) },
    reports: { ...shared.reports, ...appReport(db), ...reviewFeed(db) },
    imports: importStorage(db),
    statistics: { ...shared.statistics, ...reviewStatistics(db) },
    time: timeStorage(db, databaseNow),
  }
  return movingInstants({
    engine: 'sqlite',
    ...waitingForLocks(db.queue, parts, (part, method) =>
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
