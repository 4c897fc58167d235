import { type Clock, systemClock } from '../../runtime/clock.ts'
import { type Log, silentLog } from '../../runtime/log.ts'
import type { Storage } from '../port.ts'
import { accountStorage } from './accounts.ts'
import { Database } from './connect.ts'
import { deadStorage } from './dead.ts'
import { deliveryStorage } from './deliveries.ts'
import { feedStorage } from './feeds.ts'
import { hookStorage } from './hooks.ts'
import { insightsStorage } from './insights.ts'
import { invariantStorage } from './invariants.ts'
import { migratePostgres } from './migrate.ts'
import { occurrenceStorage } from './occurrences.ts'
import { paceStorage } from './pace.ts'
import { peopleStorage } from './people.ts'
import { timeStorage } from './time.ts'
import { upkeepStorage } from './upkeep.ts'
import { Wake } from './wake.ts'

/**
 * PostgreSQL, shared by any number of nodes, brought to the newest schema. Throws `SchemaRefused` for a database that
 * a newer version wrote or that is not ours, `StorageUnavailable` for one that cannot be reached now. Afterwards lost
 * connections are replaced by themselves: methods throw `StorageUnavailable` until the database is back.
 */
export async function openPostgres(options: {
  readonly url: string
  readonly log?: Log
  readonly clock?: Clock
  /** Instead of the server's clock, as the database's time: for tests, which move it. */
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
  return {
    engine: 'postgres',
    accounts: accountStorage(db),
    people: peopleStorage(db),
    hooks: hookStorage(db),
    feeds: feedStorage(db, clock),
    pace: paceStorage(db),
    occurrences: occurrenceStorage(db),
    deliveries: deliveryStorage(db),
    dead: deadStorage(db),
    upkeep: upkeepStorage(db),
    insights: insightsStorage(db),
    time: timeStorage(db, databaseNow ?? null),
    invariants: invariantStorage(db),
    onWake: (listener) => wake.onWake(listener),
    [Symbol.asyncDispose]: close,
  }
}
