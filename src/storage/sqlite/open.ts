import { type Clock, systemClock } from '../../runtime/clock.ts'
import type { Storage } from '../port.ts'
import { accountStorage } from './accounts.ts'
import { Connection } from './connect.ts'
import { deadStorage } from './dead.ts'
import { deliveryStorage } from './deliveries.ts'
import { feedStorage } from './feeds.ts'
import { hookStorage } from './hooks.ts'
import { insightsStorage } from './insights.ts'
import { migrateSqlite } from './migrate.ts'
import { occurrenceStorage } from './occurrences.ts'
import { paceStorage } from './pace.ts'
import { peopleStorage } from './people.ts'
import { upkeepStorage } from './upkeep.ts'

/**
 * The embedded engine on one file, brought to the newest schema. Throws `SchemaRefused` for a file that a newer
 * version wrote or that is not ours, `StorageUnavailable` for one that cannot be read or written.
 */
export async function openSqlite(options: {
  readonly file: string
  readonly clock?: Clock
  readonly serviceVersion?: string
}): Promise<Storage> {
  const { file, clock = systemClock, serviceVersion = 'unknown' } = options
  const db = new Connection(file)
  try {
    migrateSqlite(db, clock, serviceVersion)
  } catch (error) {
    db[Symbol.dispose]()
    throw error
  }
  return {
    engine: 'sqlite',
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
    onWake: () => () => {},
    [Symbol.asyncDispose]: async () => db[Symbol.dispose](),
  }
}
