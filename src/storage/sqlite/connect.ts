import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import { makeFolder } from '../../runtime/make-folder.ts'
import { createForOwner } from '../../runtime/private-file.ts'
import { SchemaRefused, StorageUnavailable } from '../port/errors.ts'
import { FileLocked, isLocked, LockQueue } from './lock-queue.ts'

/** No Date and no boolean: node:sqlite takes a leading Date for named parameters and stores NULL. */
export type Value = null | number | string | Uint8Array

/** SQLite waits for a lock inside the call, which blocks the process. We wait outside it (lock-queue.ts). */
const BUSY_TIMEOUT_MS = 0

/** More than any database has (https://www.sqlite.org/limits.html, 12). */
const PAGES_ALL = 2 ** 31 - 1

/**
 * Pages in the log before a commit copies them into the file (32 MiB). Under load the same pages change again and
 * again, and each is copied once: with SQLite's own 1,000 a delivery writes 24 KiB, with this 20, and little less
 * with more (measured over 200,000 deliveries).
 */
const WAL_PAGES = 8_000

/** Prepared statements kept. Texts are few and fixed, except lists whose filters vary. */
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
 * calls until the lock is gone. `synchronous` is full: a commit is on the disk before we act on it, so that a power cut loses no
 * acknowledged hook and never the bytes of a request already sent. With `normal` WAL commits of the last moments may
 * vanish, which only leases may (`leasing`). Measured on this project's two-core virtual machine: 0.21 ms a commit
 * against 0.01 for one row, no difference from 500 rows on; what is hot commits in batches.
 */
export class Connection implements Disposable {
  readonly queue: LockQueue
  readonly #file: string
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #inTransaction = false

  /** Makes the file and its folder if they are missing; `:memory:` is a database that dies with the connection. */
  constructor(file: string) {
    this.#file = file
    this.queue = new LockQueue(file)
    if (file !== ':memory:') makeFolder(dirname(file))
    // SQLite would make it readable by all. Its -wal and -shm get the mode of the file.
    if (file !== ':memory:') createForOwner(file)
    this.#db = this.#told(() => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }))
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
    return this.#told(() => this.#prepared(sql).all(...values) as Row[])
  }

  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#told(() => this.#prepared(sql).get(...values) as Row | undefined)
  }

  /** How many rows changed. */
  run(sql: string, ...values: readonly Value[]): number {
    this.#takeTurn()
    return this.#told(() => Number(this.#prepared(sql).run(...values).changes))
  }

  /**
   * The number of the row that an insert of one row made; null when it left things as they were. In a loop it takes the
   * place of `returning`, for which SQLite makes a table of its own at every execution: 12 microseconds.
   */
  insert(sql: string, ...values: readonly Value[]): number | null {
    this.#takeTurn()
    return this.#told(() => {
      const { changes, lastInsertRowid } = this.#prepared(sql).run(...values)
      return Number(changes) === 0 ? null : Number(lastInsertRowid)
    })
  }

  /** Statements without values or answer; for migrations and pragmas. */
  exec(sql: string): void {
    this.#told(() => this.#db.exec(sql))
  }

  /**
   * A consistent copy in a new file, made off the main thread while everyone goes on writing. Throws a sentence when
   * `file` exists.
   */
  async copyTo(file: string): Promise<void> {
    if (existsSync(file))
      throw new Error(`There is a file ${file} already. Name one that does not exist yet.`)
    // One of its own, so that nothing here waits for it.
    const source = this.#told(() => new DatabaseSync(this.#file, { readOnly: true }))
    try {
      createForOwner(file)
      // In one step: a copy in several begins again whenever another process has written in between.
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
   * The same for leases: the commit does not wait for the disk, so a power cut may undo it, which is what it does to
   * every lease. Whatever is committed later by `transaction` takes this one to the disk with it.
   */
  leasing<T>(body: (() => T) & (T extends PromiseLike<unknown> ? never : unknown)): T {
    if (this.#inTransaction) throw new Error('a transaction was opened inside another one')
    this.#takeTurn()
    this.run('pragma synchronous = normal')
    try {
      return this.#between('begin immediate', body)
    } finally {
      this.#told(() => this.#prepared('pragma synchronous = full').run())
    }
  }

  /** `act` as soon as no other process has the file locked. Throws `StorageLocked` when that takes too long. */
  whenFree<T>(act: () => T): Promise<T> {
    return this.queue.run(async () => act())
  }

  /** The same for several reads that must agree with each other: takes no write lock. */
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
    if (begin !== 'begin') this.#takeTurn()
    this.#told(() => this.#prepared(begin).run())
    this.#inTransaction = true
    try {
      const result = body()
      if (isPromiseLike(result)) throw new TypeError('the body of a transaction must be synchronous')
      this.run('commit')
      return result
    } catch (error) {
      // SQLite has rolled back by itself after some errors, a full disk for one.
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    } finally {
      this.#inTransaction = false
    }
  }

  /** A writer does not overtake those that wait for the file. */
  #takeTurn(): void {
    if (!this.#inTransaction && this.queue.mustQueue)
      throw new FileLocked(`Other calls wait for the lock on ${this.#file}.`)
  }

  #prepared(sql: string): StatementSync {
    const kept = this.#statements.get(sql)
    if (kept !== undefined) return kept
    if (this.#statements.size >= STATEMENTS_MAX) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest)
        break
      }
    }
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Turns what the disk and other processes may cause into our errors; anything else is a bug and passes through. */
  #told<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      const code = primaryCode(error)
      if (code === undefined) throw error
      if (isLocked(error))
        throw new FileLocked(`The file ${this.#file} is locked by another process.`, { cause: error })
      if (code === CODE_NOT_A_DATABASE || code === CODE_CORRUPT) {
        const state = code === CODE_CORRUPT ? 'is damaged' : 'is not a SQLite database'
        throw new SchemaRefused(`The file ${this.#file} ${state}. Name another file, or put back a backup.`, {
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
