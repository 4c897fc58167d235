import { closeSync, fdatasync, openSync } from 'node:fs'
import { DiskFull, isDiskFull, StorageUnavailable } from '../port/errors.ts'

/** SQLite's write-ahead log. */
export type LogFile = {
  /** Resolves when the disk has all that was written before. Does not block the process. */
  readonly sync: () => Promise<void>
  readonly close: () => void
}

/** One under way, and one for the commits since it began. */
const SYNCS_MAX = 2

type Sync = { readonly upTo: number; readonly done: Promise<void> }

/**
 * Brings the commits of a connection to the disk without blocking the process, which SQLite would do for milliseconds
 * at each commit. Commits are numbered; one sync covers all before it.
 */
export class DiskSync implements Disposable {
  readonly #log: LogFile
  #synced = 0
  #running: readonly Sync[] = []
  #isClosed = false

  constructor(log: LogFile) {
    this.#log = log
  }

  isBehind(commit: number): boolean {
    return this.#synced < commit
  }

  /** Resolves when the disk has this commit. `latest` is the number of the last one. Throws `StorageUnavailable`. */
  async catchUp(commit: number, latest: () => number): Promise<void> {
    while (this.#synced < commit) {
      const covering = this.#running.find(({ upTo }) => upTo >= commit)
      await (covering ?? (this.#running.length < SYNCS_MAX ? this.#start(latest()) : this.#running[0]))?.done
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    // The number of a closed file may belong to another one while a sync is under way.
    if (this.#running.length === 0) this.#log.close()
  }

  #start(upTo: number): Sync {
    const done = this.#sync(upTo).finally(() => {
      this.#running = this.#running.filter((each) => each !== sync)
      if (this.#isClosed && this.#running.length === 0) this.#log.close()
    })
    const sync = { upTo, done }
    this.#running = [...this.#running, sync]
    return sync
  }

  async #sync(upTo: number): Promise<void> {
    try {
      await this.#log.sync()
    } catch (cause) {
      if (isDiskFull(cause)) throw new DiskFull('The disk of the database is full.', { cause })
      throw new StorageUnavailable('The last changes cannot be written to the disk.', { cause })
    }
    this.#synced = Math.max(this.#synced, upTo)
  }
}

/** The file is opened with the first sync, since SQLite creates it with the first commit. */
export function openLogFile(file: string): LogFile {
  let fd: number | null = null
  return {
    async sync() {
      fd ??= openSync(file, 'r+')
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      fdatasync(fd, (error) => (error === null ? resolve() : reject(error)))
      return promise
    },
    close() {
      if (fd !== null) closeSync(fd)
      fd = null
    },
  }
}
