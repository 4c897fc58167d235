import { setImmediate } from 'node:timers/promises'
import { type Db, runSync, type Work } from '../work.ts'
import type { Connection } from './connect.ts'

/** For the tables. A generator cannot await, so its body is synchronous, as transactions here require. */
export function sqliteDb(db: Connection): Db {
  const inOne = <T>(kind: 'transaction' | 'snapshot', body: () => Work<T>) =>
    db[kind](() => ({ result: runSync(db, body()) })).result
  return {
    transaction: async (body) => inOne('transaction', body),
    snapshot: async (body) => inOne('snapshot', body),
    alone: async (work) => runSync(db, work),
    step: async (body) => {
      await setImmediate()
      return db.whenUnlocked(() => inOne('transaction', body))
    },
  }
}
