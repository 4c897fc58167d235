import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { makeFolder } from '../../runtime/make-folder.ts'
import { createForOwner } from '../../runtime/private-file.ts'
import { SchemaError, StorageUnavailable } from '../port/errors.ts'
import { FileLocked, isLocked, LockQueue } from './lock-queue.ts'

/** No Date and no boolean: node:sqlite takes a leading Date for named parameters and stores NULL. */
export type Value = null | number | string | Uint8Array

/** SQLite waits for a lock inside the call, which blocks the process: calls are repeated instead (lock-queue.ts). */
const BUSY_TIMEOUT_MS = 0

/** More than any database has (https://www.sqlite.org/limits.html, 12). */
const PAGES_ALL = 2 ** 31 - 1

/**
 * Pages in the log before a commit copies them into the file (32 MiB). Under load the same pages change again and
 * again, and each is copied once: with SQLite's own 1,000 a delivery writes 24 KiB, with this 20, and little less
 * with more (measured over 200,000 deliveries).
 */
const WAL_PAGES = 8_000

/** Prepared statements to keep. Texts are few and fixed, except those of lists with varying filters. */
const STATEMENTS_MAX = 500

// Primary result codes, https://www.sqlite.org/rescode.html
const CODES_UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [8, 'it is read-only'],
  [10, 'reading or writing its file failed'],
  [13, 'its disk is full'],
  [14, 'its file cannot be opened'],
])
const CODE_CORRUPT = 11
const CODE_NOT_A_DATABASE = 26

/**
 * One connection. While another process has the file locked, every method throws `FileLocked` at once; `queue` repeats whole
 * calls until the lock is released. `synchronous` is full: a commit is on the disk before anything acts on it, so a power cut
 * loses no acknowledged hook and no bytes of a request already sent. With `normal` the last commits may be lost, which is
 * acceptable for leases only (`leasing`). Measured on a virtual machine with two cores: 0.21 ms a commit instead of 0.01
 * for one row, no difference from 500 rows on; hot paths commit in batches.
 */
export class Connection implements Disposable {
  readonly queue: LockQueue
  readonly #file: string
  readonly #db: DatabaseSync
  readonly #statements = new LRUCache<string, StatementSync>({ max: STATEMENTS_MAX })
  #inTransaction = false

  /** Creates the file and its folder if they are missing; `:memory:` is a database that ends with the connection. */
  constructor(file: string) {
    this.#file = file
    this.queue = new LockQueue(file)
    if (file !== ':memory:') makeFolder(dirname(file))
    // SQLite would create it readable by all users. Its -wal and -shm get the mode of the file.
    if (file !== ':memory:') createForOwner(file)
    this.#db = this.#translated(() => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }))
    try {
      this.exec('pragma journal_mode = wal')
      this.exec('pragma synchronous = full')
      this.exec(`pragma wal_autocheckpoint = ${WAL_PAGES}`)
      this.exec('pragma foreign_keys = on')
      this.exec('pragma cache_size = -16000') // KiB
      this.exec('pragma journal_size_limit = 67108864') // bytes; a burst's WAL shrinks to it afterwards
      this.exec('pragma temp_store = memory')
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /** Every row. `Row` is the caller's promise about the selected columns. */
  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return this.#translated(() => this.#prepared(sql).all(...values) as Row[])
  }

  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#translated(() => this.#prepared(sql).get(...values) as Row | undefined)
  }

  /** How many rows changed. */
  run(sql: string, ...values: readonly Value[]): number {
    this.#checkQueue()
    return this.#translated(() => Number(this.#prepared(sql).run(...values).changes))
  }

  /**
   * The number of the inserted row; null when nothing was inserted. Faster in a loop than `returning`, for which SQLite
   * creates a table at every execution: 12 microseconds.
   */
  insert(sql: string, ...values: readonly Value[]): number | null {
    this.#checkQueue()
    return this.#translated(() => {
      const { changes, lastInsertRowid } = this.#prepared(sql).run(...values)
      return Number(changes) === 0 ? null : Number(lastInsertRowid)
    })
  }

  /** Statements without values or answer; for migrations and pragmas. */
  exec(sql: string): void {
    this.#translated(() => this.#db.exec(sql))
  }

  /**
   * Writes a consistent copy to a new file, off the main thread, while others continue to write. Throws when `file`
   * exists.
   */
  async copyTo(file: string): Promise<void> {
    if (existsSync(file)) throw new Error(`The file ${file} exists already. Name a file that does not exist.`)
    // Its own connection, so that nothing else waits for the copy.
    const source = this.#translated(() => new DatabaseSync(this.#file, { readOnly: true }))
    try {
      createForOwner(file)
      // In one step: a copy in several steps restarts whenever another process writes.
      await backup(source, file, { rate: PAGES_ALL })
    } finally {
      source.close()
    }
  }

  /**
   * Runs `body` as one transaction that may write. `body` is synchronous: an await inside would let other callers'
   * statements join the transaction. A throw rolls everything back. Transactions do not nest.
   */
  transaction<T>(body: (() => T) & (T extends PromiseLike<unknown> ? never : unknown)): T {
    return this.#between('begin immediate', body)
  }

  /**
   * The same for leases: the commit does not wait for the disk, so a power cut may undo it, which ends the lease. A later
   * commit by `transaction` writes this one to the disk too.
   */
  leasing<T>(body: (() => T) & (T extends PromiseLike<unknown> ? never : unknown)): T {
    if (this.#inTransaction) throw new Error('a transaction was opened inside another one')
    this.#checkQueue()
    this.run('pragma synchronous = normal')
    try {
      return this.#between('begin immediate', body)
    } finally {
      this.#translated(() => this.#prepared('pragma synchronous = full').run())
    }
  }

  /** Runs `act` as soon as no other process has the file locked. Throws `StorageLocked` when that takes too long. */
  whenFree<T>(act: () => T): Promise<T> {
    return this.queue.run(async () => act())
  }

  /** The same for several reads of one state; takes no write lock. */
  snapshot<T>(body: (() => T) & (T extends PromiseLike<unknown> ? never : unknown)): T {
    return this.#between('begin', body)
  }

  [Symbol.dispose](): void {
    this.queue.close()
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
  }

  #between<T>(begin: 'begin' | 'begin immediate', body: () => T): T {
    if (this.#inTransaction) throw new Error('a transaction was opened inside another one')
    if (begin !== 'begin') this.#checkQueue()
    this.#translated(() => this.#prepared(begin).run())
    this.#inTransaction = true
    try {
      const result = body()
      if (isPromiseLike(result)) throw new TypeError('the body of a transaction must be synchronous')
      this.run('commit')
      return result
    } catch (error) {
      // SQLite has already rolled back after some errors, such as a full disk.
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    } finally {
      this.#inTransaction = false
    }
  }

  /** Writers keep their order: a new one waits behind those that already wait for the file. */
  #checkQueue(): void {
    if (!this.#inTransaction && this.queue.mustQueue)
      throw new FileLocked(`Other calls wait for the lock on ${this.#file}.`)
  }

  #prepared(sql: string): StatementSync {
    const cached = this.#statements.get(sql)
    if (cached !== undefined) return cached
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /**
   * Turns errors caused by the disk or other processes into storage errors; anything else is a bug and passes through.
   */
  #translated<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      const code = primaryCode(error)
      if (code === undefined) throw error
      if (isLocked(error))
        throw new FileLocked(`The file ${this.#file} is locked by another process.`, { cause: error })
      if (code === CODE_NOT_A_DATABASE || code === CODE_CORRUPT) {
        const state = code === CODE_CORRUPT ? 'is damaged' : 'is not a SQLite database'
        throw new SchemaError(`The file ${this.#file} ${state}. Name another file, or restore a backup.`, {
          cause: error,
        })
      }
      const because = CODES_UNAVAILABLE.get(code)
      if (because === undefined) throw error
      throw new StorageUnavailable(`The database ${this.#file} cannot be used: ${because}.`, { cause: error })
    }
  }
}

/** SQLite's primary result code, which is the low byte of the extended one. Undefined for errors of other origin. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

function isPromiseLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
