import { setTimeout } from 'node:timers/promises'

/**
 * Only a failing test waits this long, so it is generous: two files per core share the machine with a PostgreSQL
 * server. It is not a performance limit.
 */
const WAIT_MS_MAX = 60_000
const LOOK_EVERY_MS = 10

/** Waits until `look` returns a value other than null, undefined or false. Fails with `what` after `waitMsMax`. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  waitMsMax = WAIT_MS_MAX,
): Promise<T> {
  const deadline = performance.now() + waitMsMax
  while (true) {
    const seen = await look()
    if (seen !== null && seen !== undefined && seen !== false) return seen
    if (performance.now() > deadline) throw new Error(`waited ${waitMsMax} ms in vain until ${what}`)
    await setTimeout(LOOK_EVERY_MS)
  }
}
