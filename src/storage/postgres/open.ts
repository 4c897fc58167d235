import { type Clock, systemClock } from '../../runtime/clock.ts'
import { type Log, silentLog } from '../../runtime/log.ts'
import type { Storage } from '../port.ts'
import { accountStorage } from './accounts.ts'
import { Database } from './connect.ts'
import { feedStorage } from './feeds.ts'
import { hookStorage } from './hooks.ts'
import { migratePostgres } from './migrate.ts'
import { paceStorage } from './pace.ts'
import { peopleStorage } from './people.ts'
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
  readonly serviceVersion?: string
}): Promise<Storage> {
  const { url, log = silentLog, clock = systemClock, serviceVersion = 'unknown' } = options
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
    occurrences: notThereYet('occurrences'),
    deliveries: notThereYet('deliveries'),
    dead: notThereYet('dead'),
    upkeep: notThereYet('upkeep'),
    onWake: (listener) => wake.onWake(listener),
    [Symbol.asyncDispose]: close,
  }
}

/** Stands in for a part of the port that is being written. */
function notThereYet<T extends object>(part: string): T {
  return new Proxy({} as T, {
    get: (_, method) => async () => {
      throw new Error(`storage.${part}.${String(method)} is not there yet`)
    },
  })
}
