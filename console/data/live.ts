import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { STREAM_TOPICS, type StreamTopic } from '../../src/contract/console/system.ts'
import { consoleUrl } from './request.ts'

/** The queries that a topic makes stale, by the first part of their key. */
const STALE: Record<StreamTopic, readonly string[]> = {
  reviews: ['newestReviews', 'review', 'overview', 'app'],
  deliveries: ['deliveries', 'delivery', 'overview', 'destination', 'destinations'],
  dead: ['dead', 'overview', 'destination', 'destinations'],
  apps: ['apps', 'app', 'overview'],
  destinations: ['destinations', 'destination', 'inbox', 'overview'],
  replays: ['replays', 'dead'],
}

/** The browser reopens a broken stream by itself, but not a rejected one: a proxy answers 502 while the service restarts. */
const REOPEN_MS = 5_000

/** Changes come every second on a busy day; a page loads its data again at most this often. */
const COALESCE_MS = 3_000

/**
 * Keeps the page current while it is open and seen: the service streams topics, the page reloads its queries of these
 * topics. The stream opens with the state that the session had before any page loaded, so the service tells what changed
 * in between; the same after the stream was broken.
 */
export function useLiveUpdates(state: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (state === null) return
    let stream: EventSource
    let since = state
    let reopening: ReturnType<typeof setTimeout> | undefined
    const reload = coalesced((keys) => {
      for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] })
    })
    const open = () => {
      stream = new EventSource(consoleUrl('/stream', { since }))
      stream.addEventListener('ready', ({ lastEventId }) => {
        since = lastEventId
      })
      for (const topic of STREAM_TOPICS) stream.addEventListener(topic, () => reload.add(STALE[topic]))
      stream.addEventListener('error', () => {
        if (stream.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS)
      })
    }
    open()
    return () => {
      clearTimeout(reopening)
      reload.stop()
      stream.close()
    }
  }, [state, queryClient])
}

/** Collects keys: passes the first ones on at once, later ones together, and none while nobody looks. */
function coalesced(pass: (keys: readonly string[]) => void) {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let passedAtMs = Number.NEGATIVE_INFINITY
  const flush = () => {
    timer = undefined
    if (document.hidden || waiting.size === 0) return
    passedAtMs = performance.now()
    const keys = [...waiting]
    waiting.clear()
    pass(keys)
  }
  document.addEventListener('visibilitychange', flush)
  return {
    add(keys: readonly string[]) {
      for (const key of keys) waiting.add(key)
      timer ??= setTimeout(flush, Math.max(0, passedAtMs + COALESCE_MS - performance.now()))
    },
    stop() {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', flush)
    },
  }
}
