import { DatabaseSync } from 'node:sqlite'

/** Code that waits for a lock without giving the thread back does so for at least this long. */
const BLOCKED_MS_MAX = 1_000

/**
 * Another process that writes to the SQLite file: holds its lock while `call` begins, and lets go when `call` has given the
 * thread back. Real time, in which simulated time stands still. `onBlocked` hears of a call that kept the thread.
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
