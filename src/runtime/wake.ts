import { type Clock, WOKEN } from './clock.ts'

/**
 * Ends the idle wait of a loop in this process early. Not needed for correctness: a lost wake costs at most the idle
 * wait.
 */
export type Wake = {
  /** Ends the wait of the loop `name`, or its next wait if it is not waiting. */
  readonly wake: (name: string) => void
  /** Resolves when woken, after `ms`, or when `signal` aborts. Wakes since the last wait count. */
  readonly wait: (name: string, ms: number, signal: AbortSignal) => Promise<void>
}

export function createWake(clock: Clock): Wake {
  const pending = new Set<string>()
  const waiting = new Map<string, AbortController>()
  return {
    wake(name) {
      const waiter = waiting.get(name)
      if (waiter === undefined) pending.add(name)
      else waiter.abort(WOKEN)
    },
    async wait(name, ms, signal) {
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
