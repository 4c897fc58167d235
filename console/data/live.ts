import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { STREAM_END, STREAM_TOPICS, type StreamTopic } from '../../src/contract/console/system.ts'
import { apiUrl } from './request.ts'
import { sessionQuery } from './session.ts'

/** The queries that each topic makes stale, by the first part of their key. */
const STALE_KEYS: Record<StreamTopic, readonly string[]> = {
  reviews: ['newestReviews', 'review', 'reply', 'toAnswer', 'toAnswerCount', 'overview', 'app'],
  deliveries: ['deliveries', 'delivery', 'overview', 'destination', 'destinations'],
  dead: ['dead', 'overview', 'status', 'destination', 'destinations'],
  apps: ['apps', 'app', 'overview', 'status'],
  destinations: ['destinations', 'destination', 'inbox', 'overview', 'status'],
  replays: ['replays', 'dead'],
}

/** The browser reopens a broken stream, but not a rejected one: a proxy answers 502 while the service restarts. */
const REOPEN_MS = 5_000

/** Minimum time between reloads of a page: a busy account has changes every second. */
const COALESCE_MS = 3_000

/**
 * Keeps the page current while it is visible: the service streams topics, and the page reloads its queries of these
 * topics. The stream opens with the session's state from before the page loaded, so the service also reports changes
 * made in between. The same holds after a broken stream.
 */
export function useLiveUpdates(state: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (state === null) return
    let stream: EventSource | null = null
    let since = state
    let reopening: ReturnType<typeof setTimeout> | undefined
    const reload = coalesced((keys) => {
      for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] })
    })
    const open = () => {
      const opened = new EventSource(apiUrl('/console/stream', { since }))
      opened.addEventListener('ready', ({ lastEventId }) => {
        since = lastEventId
      })
      for (const topic of STREAM_TOPICS) opened.addEventListener(topic, () => reload.add(STALE_KEYS[topic]))
      // Signed out elsewhere, or the account was deleted: the session's answer leads to the sign-in.
      opened.addEventListener(STREAM_END, () => {
        close()
        void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
        // Another session may have replaced the one of the stream, such as when a second factor is turned on.
        reopening = setTimeout(follow, REOPEN_MS)
      })
      opened.addEventListener('error', () => {
        if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS)
      })
      stream = opened
    }
    const close = () => {
      clearTimeout(reopening)
      stream?.close()
      stream = null
    }
    // Without HTTP/2 a browser has six connections to a host, for all tabs: streams of hidden ones would block the seventh.
    const follow = () => {
      if (document.hidden) close()
      else if (stream === null) open()
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      close()
      reload.stop()
    }
  }, [state, queryClient])
}

/** Batches keys: flushes the first ones at once, later ones together, and none while the page is hidden. */
function coalesced(flushKeys: (keys: readonly string[]) => void) {
  const pending = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let flushedAtMs = Number.NEGATIVE_INFINITY
  const flush = () => {
    timer = undefined
    if (document.hidden || pending.size === 0) return
    flushedAtMs = performance.now()
    const keys = [...pending]
    pending.clear()
    flushKeys(keys)
  }
  document.addEventListener('visibilitychange', flush)
  return {
    add(keys: readonly string[]) {
      for (const key of keys) pending.add(key)
      timer ??= setTimeout(flush, Math.max(0, flushedAtMs + COALESCE_MS - performance.now()))
    },
    stop() {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', flush)
    },
  }
}
