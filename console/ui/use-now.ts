import { useSyncExternalStore } from 'react'

/** Relative times update this often. */
const TICK_MS = 10_000

let current = new Date()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    // Without listeners there were no ticks: `current` may be an hour old.
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

/** The current time, shared so that all times of a page update together. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => current)
}
