import { useSyncExternalStore } from 'react'

/** Relative times move on once in so long. */
const TICK_MS = 10_000

let current = new Date()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    // Nobody looked until now: the last tick may be an hour ago.
    current = new Date()
    timer = setInterval(() => {
      current = new Date()
      for (const each of listeners) each()
    }, TICK_MS)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** Now, shared by the whole page, so that a list's times move on together. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => current)
}
