import { DatabaseSync } from 'node:sqlite'
import { createForOwner } from '../../runtime/private-file.ts'
import { isLocked, LockQueue } from './lock-queue.ts'

/**
 * Which services run on a database file: each holds a shared lock on an empty file beside it for as long as it lives. The system gives the
 * lock back when a process ends, however it ends. Commands take no part: they lease nothing.
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
   * Joins the services of this file. When there is no other, runs `alone` first, while no other can join. Returns whether it did.
   * To be called once.
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
    // Another one that starts holds it exclusively for a moment.
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
