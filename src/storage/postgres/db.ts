import { type Db, runAsync } from '../work.ts'
import type { Database } from './connect.ts'

/** For the tables. A body that runs again, after a deadlock, begins as a new generator. */
export function postgresDb(db: Database): Db {
  return {
    transaction: (body) => db.transaction((tx) => runAsync(tx, body())),
    snapshot: (body) => db.snapshot((tx) => runAsync(tx, body())),
    alone: (work) => runAsync(db, work),
    step: (body) => db.transaction((tx) => runAsync(tx, body())),
  }
}
