import { type Clock, systemClock } from '../../runtime/clock.ts'
import type { Storage } from '../port.ts'
import { accountStorage } from './accounts.ts'
import { Connection } from './connect.ts'
import { deadStorage } from './dead.ts'
import { deliveryStorage } from './deliveries.ts'
import { feedStorage } from './feeds.ts'
import { hookStorage } from './hooks.ts'
import { insightsStorage } from './insights.ts'
import { invariantStorage } from './invariants.ts'
import { LockQueue, waitingForLocks } from './lock-queue.ts'
import { migrateSqlite } from './migrate.ts'
import { occurrenceStorage } from './occurrences.ts'
import { paceStorage } from './pace.ts'
import { peopleStorage } from './people.ts'
import { ServiceLock } from './service-lock.ts'
import { timeStorage } from './time.ts'
import { upkeepStorage } from './upkeep.ts'

/**
 * The embedded engine on one file, brought to the newest schema. Throws `SchemaRefused` for a file that a newer
 * version wrote or that is not ours, `StorageUnavailable` for one that cannot be read or written. While another process has the file
 * locked, every method waits without blocking the process, and throws `StorageLocked` after ten seconds.
 */
export async function openSqlite(options: {
  readonly file: string
  readonly clock?: Clock
  /** Instead of the clock's instant, as the database's time: for tests. */
  readonly databaseNow?: (() => Date) | undefined
  readonly serviceVersion?: string
}): Promise<Storage> {
  const { file, clock = systemClock, databaseNow = clock.now, serviceVersion = 'unknown' } = options
  const db = await connect(file)
  try {
    await migrateSqlite(db, clock, serviceVersion)
  } catch (error) {
    db[Symbol.dispose]()
    throw error
  }
  const lock = new ServiceLock(file)
  const waiting = <Part extends object>(part: Part) => waitingForLocks(db.queue, part)
  return {
    engine: 'sqlite',
    accounts: waiting(accountStorage(db)),
    people: waiting(peopleStorage(db)),
    hooks: waiting(hookStorage(db)),
    feeds: waiting(feedStorage(db, clock)),
    pace: waiting(paceStorage(db)),
    occurrences: waiting(occurrenceStorage(db)),
    deliveries: waiting(deliveryStorage(db)),
    dead: waiting(deadStorage(db)),
    upkeep: waiting(upkeepStorage(db, lock)),
    insights: waiting(insightsStorage(db)),
    time: waiting(timeStorage(db, databaseNow)),
    invariants: waiting(invariantStorage(db)),
    onWake: () => () => {},
    [Symbol.asyncDispose]: async () => {
      db[Symbol.dispose]()
      lock[Symbol.dispose]()
    },
  }
}

/** Opening reads the file, for which no other process may have it locked. */
async function connect(file: string): Promise<Connection> {
  const queue = new LockQueue(file)
  try {
    return await queue.run(async () => new Connection(file))
  } finally {
    queue.close()
  }
}
