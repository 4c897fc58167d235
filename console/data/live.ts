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
  destinations: ['destinations', 'destination', 'overview'],
  replays: ['replays', 'dead'],
}

/** The browser reopens a broken stream by itself, but not a rejected one: a proxy answers 502 while the service restarts. */
const REOPEN_MS = 5_000

/**
 * Keeps the page current while it is open: the service streams topics, the page reloads its queries of these topics.
 * The service does not repeat topics of the time before the stream opened, when the page may have loaded already, or
 * while the stream was broken. So everything is reloaded whenever the stream opens.
 */
export function useLiveUpdates(enabled: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!enabled) return
    let stream: EventSource
    let reopening: ReturnType<typeof setTimeout> | undefined
    const outdated = (topics: readonly StreamTopic[]) => {
      for (const key of new Set(topics.flatMap((topic) => STALE[topic]))) {
        void queryClient.invalidateQueries({ queryKey: [key] })
      }
    }
    const open = () => {
      stream = new EventSource(consoleUrl('/stream'))
      for (const topic of STREAM_TOPICS) stream.addEventListener(topic, () => outdated([topic]))
      stream.addEventListener('open', () => outdated(STREAM_TOPICS))
      stream.addEventListener('error', () => {
        if (stream.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS)
      })
    }
    open()
    return () => {
      clearTimeout(reopening)
      stream.close()
    }
  }, [enabled, queryClient])
}
