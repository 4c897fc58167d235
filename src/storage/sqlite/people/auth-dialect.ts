import type { DatabaseSync } from 'node:sqlite'
import { NodeSqliteDialect } from '@better-auth/kysely-adapter/node-sqlite-dialect'
import type { LockQueue } from '../lock-queue.ts'

/** The sign-in library's connection to its SQLite database. */
export type WaitingDialect = NodeSqliteDialect

/** The library's own dialect, except that a statement waits in `queue` while another process has the file locked. */
export function waitingDialect(database: DatabaseSync, queue: LockQueue): WaitingDialect {
  return new Waiting(database, queue)
}

class Waiting extends NodeSqliteDialect {
  readonly #queue: LockQueue

  constructor(database: DatabaseSync, queue: LockQueue) {
    super({ database })
    this.#queue = queue
  }

  override createDriver() {
    const queue = this.#queue
    const driver = super.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async () => {
      const connection = await acquire()
      return {
        // A statement that finds the file locked throws at once without changes.
        executeQuery: (query) => queue.run(async () => connection.executeQuery(query)),
        streamQuery: (query) => connection.streamQuery(query),
      }
    }
    return driver
  }
}
