import { type Clock, WOKEN } from './clock.ts'

export type Wake = ReturnType<typeof createWake>

/**
 * Ends the idle wait of a loop in this process early. Not needed for correctness: a lost wake costs at most the idle
 * wait.
 */
export function createWake(clock: Clock) {
  const pending = new Set<string>()
  const waiting = new Map<string, AbortController>()
  return {
    /** Ends the wait of the loop `name`, or its next wait if it is not waiting. */
    wake(name: string): void {
      const waiter = waiting.get(name)
      if (waiter === undefined) pending.add(name)
      else waiter.abort(WOKEN)
    },
    /** Resolves when woken, after `ms`, or when `signal` aborts. Wakes since the last wait count. */
    async wait(name: string, ms: number, signal: AbortSignal): Promise<void> {
      if (pending.delete(name) || signal.aborted) return
      const ended = new AbortController()
      const end = () => ended.abort()
      signal.addEventListener('abort', end, { once: true })
      waiting.set(name, ended)
      await clock.sleep(ms, ended.signal)
      waiting.delete(name)
      signal.removeEventListener('abort', end)
    },
  }
}
