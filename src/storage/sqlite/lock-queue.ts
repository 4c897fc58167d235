import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { StorageLocked } from '../port/errors.ts'

/** Longer than the write lock of any command, and shorter than the timeouts of HTTP clients. */
const LOCK_WAIT_MS_MAX = 10_000

/** Waits between two attempts: doubled up to the maximum, then shortened at random by up to half. */
const RETRY_WAIT_MS_FIRST = 2
const RETRY_WAIT_MS_MAX = 100

/** Primary result codes when another connection holds a lock: SQLITE_BUSY and SQLITE_LOCKED. */
const CODES_LOCKED: readonly number[] = [5, 6]

/**
 * Another connection holds a lock on the file, and nothing was changed. Only for this folder: a `LockQueue` retries the
 * call.
 */
export class FileLocked extends StorageLocked {
  override readonly name = 'FileLocked'
}

type Waiting = {
  readonly sinceMs: number
  /** False while the file is still locked. */
  readonly attempt: () => Promise<boolean>
  readonly fail: (error: Error) => void
}

/**
 * A queue of calls that found the file locked by another process. SQLite can only wait inside the call, which would
 * block the process. Here a call fails at once and is retried as a whole, so it must be one transaction.
 */
export class LockQueue {
  readonly #file: string
  readonly #waitMsMax: number
  readonly #waiting: Waiting[] = []
  #isAttempting = false
  #isCalling = false
  #isClosed = false
  /** Set once the file is migrated. Before, nobody else uses the connection. */
  isWriteRefusedOutsideCall = false

  constructor(file: string, waitMsMax = LOCK_WAIT_MS_MAX) {
    this.#file = file
    this.#waitMsMax = waitMsMax
  }

  /** Whether a new writer must wait behind the queued ones. */
  get mustQueue(): boolean {
    return this.#waiting.length > 0 && !this.#isAttempting
  }

  /**
   * Throws for a write that no call makes before its first await: with other calls waiting it would wait behind them, and they behind it.
   */
  checkWrite(): void {
    if (this.isWriteRefusedOutsideCall && !this.#isCalling)
      throw new Error('A method of the storage writes in one transaction, before its first await.')
  }

  /** How long the oldest call has been waiting; 0 without one. */
  get waitedMs(): number {
    const [oldest] = this.#waiting
    return oldest === undefined ? 0 : performance.now() - oldest.sinceMs
  }

  /**
   * Runs `act`, and retries it while the file is locked. `act` writes in one transaction, before its first await.
   * Throws `StorageLocked` when the lock is held for too long.
   */
  run<T>(act: () => Promise<T>): Promise<T> {
    const call = () => this.#calling(act)
    return call().catch((error: unknown) => {
      if (!isLocked(error)) throw error
      return this.#wait(call)
    })
  }

  /** Rejects the queued calls, and later calls that would have to wait. */
  close(): void {
    this.#isClosed = true
    for (const { fail } of this.#waiting.splice(0)) fail(this.#locked('and the service is stopping'))
  }

  #wait<T>(act: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(this.#locked('and the service is stopping'))
    const attempted = AsyncLocalStorage.bind(act) // with the context of this call (clock-steps.ts), not that of the loop
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        sinceMs: performance.now(),
        fail: reject,
        attempt: async () => {
          try {
            resolve(await this.#asOldest(attempted))
          } catch (error) {
            if (isLocked(error)) return false
            reject(error)
          }
          return true
        },
      })
      if (this.#waiting.length === 1) this.#work()
    })
  }

  #calling<T>(act: () => Promise<T>): Promise<T> {
    const before = this.#isCalling
    this.#isCalling = true
    try {
      return act()
    } finally {
      this.#isCalling = before
    }
  }

  #asOldest<T>(act: () => Promise<T>): Promise<T> {
    this.#isAttempting = true
    try {
      return act()
    } finally {
      this.#isAttempting = false
    }
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    let waitMs = RETRY_WAIT_MS_FIRST
    while (this.#waiting.length > 0) {
      await setTimeout(waitMs * (1 - Math.random() / 2))
      waitMs = Math.min(RETRY_WAIT_MS_MAX, waitMs * 2)
      while (await this.#waiting[0]?.attempt()) {
        this.#waiting.shift()
        waitMs = RETRY_WAIT_MS_FIRST
        // Lets other work of the process run between two calls.
        await setImmediate()
      }
      this.#failOverdue()
    }
  }

  #failOverdue(): void {
    while (this.waitedMs > this.#waitMsMax) {
      this.#waiting.shift()?.fail(this.#locked(`for ${Math.round(this.#waitMsMax / 1_000)} s`))
    }
  }

  #locked(detail: string): StorageLocked {
    return new StorageLocked(
      `The database ${this.#file} cannot be used: another process has locked it ${detail}.`,
    )
  }
}

/**
 * The methods of all `parts`, each of which waits while the file is locked. A result or an error may be based on commits that are not on
 * the disk yet, so it then waits for `onDisk` of the method.
 */
export function waitingForLocks<Parts extends Readonly<Record<string, object>>>(
  queue: LockQueue,
  parts: Parts,
  onDisk: (part: string, method: string) => Promise<void> | undefined,
): Parts {
  const waiting = (
    part: string,
    name: string,
    method: (...values: readonly unknown[]) => Promise<unknown>,
  ) => {
    return async (...values: readonly unknown[]) => {
      try {
        return await queue.run(() => method(...values))
      } finally {
        const syncing = onDisk(part, name)
        if (syncing !== undefined) await syncing
      }
    }
  }
  return mapped(parts, (methods, part) => mapped(methods, (method, name) => waiting(part, name, method)))
}

function mapped<T extends object>(object: T, change: (value: never, name: string) => unknown): T {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(value as never, name)]),
  ) as T
}

/** Whether an error of SQLite or of a connection means that the file is locked and nothing was changed. */
export function isLocked(error: unknown): boolean {
  if (error instanceof FileLocked) return true
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  return CODES_LOCKED.includes(error.errcode & 0xff)
}
