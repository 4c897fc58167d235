import { setTimeout } from 'node:timers/promises'

/**
 * Not a performance limit: only failing tests wait this long. It is generous, because two test files per core share the
 * machine with a PostgreSQL server.
 */
const WAIT_MS_MAX = 60_000
const POLL_INTERVAL_MS = 20

/** Waits until `check` returns a value other than null, undefined or false. Throws after `waitMsMax`, naming `what`. */
export async function until<T>(
  what: string,
  check: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  waitMsMax = WAIT_MS_MAX,
): Promise<T> {
  const deadline = performance.now() + waitMsMax
  while (true) {
    const value = await check()
    if (value !== null && value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`timed out after ${waitMsMax} ms: ${what}`)
    await setTimeout(POLL_INTERVAL_MS)
  }
}
