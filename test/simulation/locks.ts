import { DatabaseSync } from 'node:sqlite'

/** Code that blocks the thread while it waits for a lock takes at least this long. */
const BLOCKED_MS_MAX = 1_000

/**
 * Simulates another process that writes to the SQLite file: holds its lock while `call` starts, and releases it when `call` yields the
 * thread. This takes real time but no simulated time. Calls `onBlocked` if `call` blocked the thread.
 */
export async function underLock<T>(
  file: string,
  call: () => Promise<T>,
  onBlocked: (ms: number) => void,
): Promise<T> {
  const other = new DatabaseSync(file, { timeout: 0 })
  try {
    other.exec('begin immediate')
    const startedMs = performance.now()
    const answer = call()
    const tookMs = performance.now() - startedMs
    other.exec('rollback')
    if (tookMs > BLOCKED_MS_MAX) onBlocked(tookMs)
    return await answer
  } finally {
    other.close()
  }
}
