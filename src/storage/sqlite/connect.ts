import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import { makeFolder } from '../../runtime/make-folder.ts'
import { createForOwner } from '../../runtime/private-file.ts'
import { checkSteps, isRead, mustCheckSteps, SELECT_STEPPED } from '../clock-steps.ts'
import { DiskFull, isDiskFull, SchemaError, StorageUnavailable } from '../port/errors.ts'
import { DiskSync, type LogFile, openLogFile } from './disk-sync.ts'
import { FileLocked, isLocked, LockQueue } from './lock-queue.ts'
import { refuseForeignLog } from './maintenance/foreign-log.ts'

/** Neither Date nor boolean: node:sqlite treats a leading Date as named parameters and stores NULL. */
export type Value = null | number | string | Uint8Array

/**
 * SQLite would wait for a lock inside the call, which blocks the process. Calls are retried instead (lock-queue.ts).
 */
const BUSY_TIMEOUT_MS = 0

/** The maximum number of pages of a database (https://www.sqlite.org/limits.html, 12). */
const PAGES_ALL = 2 ** 31 - 1

/**
 * Pages in the write-ahead log before a checkpoint (32 MiB). Under load the same pages change repeatedly, and a
 * checkpoint copies each once. A delivery writes 24 KiB with SQLite's default of 1,000 pages and 20 KiB with this; more
 * pages save little (measured over 200,000 deliveries).
 */
const WAL_PAGES = 8_000

/** Cached prepared statements. Most texts are fixed; those of lists vary with the filters. */
const STATEMENTS_MAX = 500

// Primary result codes, https://www.sqlite.org/rescode.html
const CODES_UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [8, 'it is read-only'],
  [10, 'reading or writing its file failed'],
  [14, 'its file cannot be opened'],
])
const CODE_CORRUPT = 11
const CODE_NOT_A_DATABASE = 26

/**
 * One connection. While another process has the file locked, every method throws `FileLocked` at once; `queue` retries
 * whole calls until the lock is released. A commit does not wait for the disk, which would block the process for up to
 * some ten milliseconds. `onDisk` waits in another thread: until then a power failure may undo the commit, so nothing
 * may act on it. Leases need not wait (`leasing`).
 */
export class Connection implements Disposable {
  readonly queue: LockQueue
  readonly file: string
  readonly #db: DatabaseSync
  readonly #inode: number | undefined
  readonly #statements = new Map<string, StatementSync>()
  readonly #disk: DiskSync | null
  #inTransaction = false
  /** Rows that leases changed. */
  #leaseChanges = 0
  /** Commits of other connections are seen before they are on the disk. */
  #dataVersion = 0
  #foreignCommits = 0
  #eventsCommit = 0

  /**
   * Creates the file and its folder if they are missing. A `:memory:` database ends with the connection. Without a log
   * (null) nothing waits for the disk.
   */
  constructor(file: string, openLog: ((file: string) => LogFile) | null = openLogFile) {
    this.file = file
    this.queue = new LockQueue(file)
    if (file !== ':memory:') {
      makeFolder(dirname(file))
      refuseForeignLog(file)
      // SQLite would make it readable for all users. Its -wal and -shm files inherit the mode of the file.
      createForOwner(file)
    }
    this.#inode = inodeOf(file)
    this.#db = this.#withStorageErrors(() => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }))
    try {
      // Some file systems do not allow a write-ahead log.
      const hasLog = this.get<{ journal_mode: string }>('pragma journal_mode = wal')?.journal_mode === 'wal'
      this.#disk = hasLog && openLog !== null ? new DiskSync(openLog(`${file}-wal`)) : null
      this.exec(`pragma synchronous = ${openLog === null ? 'off' : hasLog ? 'normal' : 'full'}`)
      this.exec(`pragma wal_autocheckpoint = ${WAL_PAGES}`)
      this.exec('pragma foreign_keys = on')
      this.exec('pragma cache_size = -16000') // KiB
      this.exec('pragma journal_size_limit = 67108864') // bytes; the log shrinks to this size after a burst
      this.exec('pragma temp_store = memory')
      this.#dataVersion = this.#readDataVersion()
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /** All rows. The caller ensures that `Row` matches the selected columns. */
  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return this.#alone(sql, () => this.#prepared(sql).all(...values) as Row[])
  }

  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#alone(sql, () => this.#readRow<Row>(sql, values))
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly Value[]): number {
    this.#checkQueue()
    return this.#alone(sql, () => Number(this.#prepared(sql).run(...values).changes))
  }

  /**
   * Returns the id of the inserted row. Faster in a loop than `returning`, for which SQLite creates a table at each
   * execution (12 µs).
   */
  insert(sql: string, ...values: readonly Value[]): number {
    this.#checkQueue()
    return this.#alone(sql, () => Number(this.#prepared(sql).run(...values).lastInsertRowid))
  }

  /** Whether another file has the name of the open one, as after a restore. */
  get isReplaced(): boolean {
    return inodeOf(this.file) !== this.#inode
  }

  /** Runs statements without parameters or results: migrations and pragmas. */
  exec(sql: string): void {
    this.#withStorageErrors(() => this.#db.exec(sql))
  }

  /** Writes a consistent copy to a new file, off the main thread, while others can write. Throws when `file` exists. */
  async copyTo(file: string): Promise<void> {
    if (existsSync(file)) throw new Error(`The file ${file} already exists. Use a new file name.`)
    // A separate connection, so that nothing waits for the copy.
    const source = this.#withStorageErrors(() => new DatabaseSync(this.file, { readOnly: true }))
    try {
      createForOwner(file)
      // In one step, because a copy in several steps restarts whenever another process writes.
      await backup(source, file, { rate: PAGES_ALL })
      this.#withStorageErrors(() => withoutLog(file))
    } finally {
      source.close()
    }
  }

  /**
   * Runs `body` as one transaction that may write. `body` is synchronous: with an await, statements of other callers
   * would join the transaction. A throw rolls back. Transactions cannot be nested.
   */
  transaction<T>(body: (() => T) & (T extends PromiseLike<unknown> ? never : unknown)): T {
    return this.#runTransaction('begin immediate', body)
  }

  /** The same for leases, for which `onDisk` does not wait. A power failure may undo the commit, which ends the lease. */
  leasing<T>(body: (() => T) & (T extends PromiseLike<unknown> ? never : unknown)): T {
    const before = this.#changes()
    try {
      return this.transaction(body)
    } finally {
      this.#leaseChanges += this.#changes() - before
    }
  }

  /** The same for new events: a claim waits only for these commits (`eventsOnDisk`). */
  creatingEvents<T>(body: (() => T) & (T extends PromiseLike<unknown> ? never : unknown)): T {
    const result = this.transaction(body)
    this.#eventsCommit = this.#commitsSeen()
    return result
  }

  /** Resolves when all commits that this connection has seen are on the disk; undefined when they already are. */
  onDisk(): Promise<void> | undefined {
    return this.#disk === null ? undefined : this.#whenOnDisk(this.#disk, this.#commitsSeen())
  }

  /** The same for the events that this connection created. */
  eventsOnDisk(): Promise<void> | undefined {
    return this.#disk === null ? undefined : this.#whenOnDisk(this.#disk, this.#eventsCommit)
  }

  /** Runs `act` as soon as the file is not locked. Throws `StorageLocked` when that takes too long. */
  whenUnlocked<T>(act: () => T): Promise<T> {
    return this.queue.run(async () => act())
  }

  /** Runs several reads on one snapshot, without a write lock. */
  snapshot<T>(body: (() => T) & (T extends PromiseLike<unknown> ? never : unknown)): T {
    return this.#runTransaction('begin', body)
  }

  [Symbol.dispose](): void {
    this.queue.close()
    this.#statements.clear()
    this.#disk?.[Symbol.dispose]()
    if (this.#db.isOpen) this.#db.close()
  }

  #whenOnDisk(disk: DiskSync, commit: number): Promise<void> | undefined {
    if (!this.#db.isOpen || !disk.isBehind(commit)) return undefined
    return disk.catchUp(commit, () => this.#commitsSeen())
  }

  /** Grows with each commit that must be on the disk before anything acts on it. */
  #commitsSeen(): number {
    if (!this.#db.isOpen) return 0
    const dataVersion = this.#readDataVersion()
    if (dataVersion !== this.#dataVersion) this.#foreignCommits += 1
    this.#dataVersion = dataVersion
    return this.#changes() - this.#leaseChanges + this.#foreignCommits
  }

  /** Rows changed by this connection since it was opened. */
  #changes(): number {
    return this.#readRow<{ changes: number }>('select total_changes() as changes')?.changes ?? 0
  }

  /** Changes with each commit of another connection. While one has the file locked, nothing of it was seen. */
  #readDataVersion(): number {
    try {
      return this.#readRow<{ data_version: number }>('pragma data_version')?.data_version ?? 0
    } catch (error) {
      if (isLocked(error)) return this.#dataVersion
      throw error
    }
  }

  #runTransaction<T>(begin: 'begin' | 'begin immediate', body: () => T): T {
    if (this.#inTransaction) throw new Error('transactions cannot be nested')
    if (begin !== 'begin') this.#checkQueue()
    this.#withStorageErrors(() => this.#prepared(begin).run())
    this.#inTransaction = true
    try {
      // 2 µs. From here on no other process can step the clock.
      if (mustCheckSteps()) checkSteps(this.#readRow(SELECT_STEPPED))
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

  /**
   * Runs a statement. A write of a call with times (clock-steps.ts) becomes a transaction, and a read is checked before, since no other
   * call of this process can come between.
   */
  #alone<T>(sql: string, act: () => T): T {
    const run = () => this.#withStorageErrors(act)
    if (this.#inTransaction || !mustCheckSteps()) return run()
    if (!isRead(sql)) return this.#runTransaction('begin immediate', run)
    checkSteps(this.#withStorageErrors(() => this.#readRow(SELECT_STEPPED)))
    return run()
  }

  #readRow<Row>(sql: string, values: readonly Value[] = []): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined
  }

  /** Keeps the order of writers: a new one waits behind those in the queue. */
  #checkQueue(): void {
    if (this.#inTransaction) return
    this.queue.checkWrite()
    if (this.queue.mustQueue) throw new FileLocked(`Other calls are waiting for the lock on ${this.file}.`)
  }

  #prepared(sql: string): StatementSync {
    const cached = this.#statements.get(sql)
    if (cached !== undefined) return cached
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    // The oldest one, in use or not: a list in the order of use costs more than a statement that is prepared again.
    const [oldest] = this.#statements.size > STATEMENTS_MAX ? this.#statements.keys() : []
    if (oldest !== undefined) this.#statements.delete(oldest)
    return statement
  }

  /** Turns errors from the disk or other processes into storage errors. Any other error is a bug and is rethrown. */
  #withStorageErrors<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      const code = primaryCode(error)
      if (code === undefined) throw error
      if (isLocked(error))
        throw new FileLocked(`The file ${this.file} is locked by another process.`, { cause: error })
      if (code === CODE_NOT_A_DATABASE || code === CODE_CORRUPT) {
        const state = code === CODE_CORRUPT ? 'is damaged' : 'is not a SQLite database'
        throw new SchemaError(`The file ${this.file} ${state}. Use another file, or restore a backup.`, {
          cause: error,
        })
      }
      if (isDiskFull(error))
        throw new DiskFull(`The disk of the database ${this.file} is full.`, { cause: error })
      const reason = CODES_UNAVAILABLE.get(code)
      if (reason === undefined) throw error
      throw new StorageUnavailable(`The database ${this.file} cannot be used: ${reason}.`, { cause: error })
    }
  }
}

/** Marks a copy as one without a log, so that a log of another database beside it is noticed (foreign-log.ts). */
function withoutLog(file: string): void {
  const copy = new DatabaseSync(file)
  try {
    copy.exec('pragma journal_mode = delete')
  } finally {
    copy.close()
  }
}

/** SQLite's primary result code: the low byte of the extended one. Undefined for other errors. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

function isPromiseLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino
}
