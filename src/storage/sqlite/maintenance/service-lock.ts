import { DatabaseSync } from 'node:sqlite'
import { createForOwner } from '../../../runtime/private-file.ts'
import { isLocked, LockQueue } from '../lock-queue.ts'

/**
 * Detects other services on a database file: each holds a shared lock on an empty file next to it. The operating system
 * releases the lock when a process ends. Commands do not take it, since they lease nothing.
 */
export class ServiceLock implements Disposable {
  readonly #file: string
  readonly #queue: LockQueue
  #db: DatabaseSync | null = null

  constructor(databaseFile: string) {
    this.#file = databaseFile === ':memory:' ? databaseFile : `${databaseFile}-lock`
    this.#queue = new LockQueue(this.#file)
  }

  /**
   * Joins the services of this file. If there is no other service, runs `alone` first, while no other can join. Returns
   * whether it ran. Call it once.
   */
  async join(alone: () => Promise<void>): Promise<boolean> {
    if (this.#file !== ':memory:') createForOwner(this.#file)
    const db = new DatabaseSync(this.#file, { timeout: 0 })
    this.#db = db
    const isAlone = tryExclusive(db)
    if (isAlone) {
      await alone()
      db.exec('rollback')
    }
    // Another starting service may hold an exclusive lock for a moment.
    await this.#queue.run(async () => {
      db.exec('begin; select count(*) from sqlite_schema')
    })
    return isAlone
  }

  [Symbol.dispose](): void {
    this.#queue.close()
    if (this.#db?.isOpen) this.#db.close()
  }
}

function tryExclusive(db: DatabaseSync): boolean {
  try {
    db.exec('begin exclusive')
    return true
  } catch (error) {
    if (isLocked(error)) return false
    throw error
  }
}
