import { type Clock, systemClock } from '../../runtime/clock.ts'
import { type Log, silentLog } from '../../runtime/log.ts'
import { movingInstants } from '../clock-steps.ts'
import type { OccurrenceStorage } from '../port/occurrences.ts'
import type { Storage } from '../port/storage.ts'
import { sharedParts } from '../tables/parts.ts'
import { alertStorage } from './alerts/alerts.ts'
import { Database } from './connect.ts'
import { postgresDb } from './db.ts'
import { feedStorage } from './feeds/feeds.ts'
import { paceStorage } from './feeds/pace.ts'
import { reviewHistoryStorage } from './feeds/review-histories.ts'
import { reviewSourceStorage } from './feeds/review-sources.ts'
import { databaseStorage } from './maintenance/maintenance.ts'
import { timeStorage } from './maintenance/time.ts'
import { migratePostgres } from './migrate.ts'
import { postgresSteps } from './native-steps.ts'
import { deadLetterStorage } from './queue/dead-letters.ts'
import { deliveryStorage } from './queue/deliveries.ts'
import { fanOut } from './queue/fanout.ts'
import { appReport } from './reports/app-figures.ts'
import { importStorage } from './reports/imports.ts'
import { reviewFeed } from './reports/review-feed.ts'
import { reviewStatistics } from './reports/statistics.ts'
import { Wake } from './wake.ts'

type FanOut = OccurrenceStorage['fanOut']

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
  const shared = sharedParts(postgresDb(db), postgresSteps)
  return movingInstants({
    engine: 'postgres',
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
    maintenance: { ...shared.maintenance, ...databaseStorage(db) },
    reports: { ...shared.reports, ...appReport(db), ...reviewFeed(db) },
    imports: importStorage(db),
    statistics: { ...shared.statistics, ...reviewStatistics(db) },
    time: timeStorage(db, databaseNow ?? null),
    onWake: (listener) => wake.onWake(listener),
    [Symbol.asyncDispose]: close,
  })
}
