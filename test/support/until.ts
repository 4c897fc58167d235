import { setTimeout } from 'node:timers/promises'

/** What a state may take on a busy machine before a test gives up on it. */
const WAIT_MS_MAX = 10_000
const LOOK_EVERY_MS = 10

/** Waits until `look` gives something other than null, undefined or false. Fails with `what` when it never does. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = performance.now() + WAIT_MS_MAX
  while (true) {
    const seen = await look()
    if (seen !== null && seen !== undefined && seen !== false) return seen
    if (performance.now() > deadline) throw new Error(`waited ${WAIT_MS_MAX} ms in vain until ${what}`)
    await setTimeout(LOOK_EVERY_MS)
  }
}
