import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { STREAM_TOPICS, type StreamTopic } from '../../src/contract/console/system.ts'
import { consoleUrl } from './request.ts'

/** Which queries a topic makes stale, by the first part of their key. */
const STALE: Record<StreamTopic, readonly string[]> = {
  reviews: ['reviews', 'overview', 'app'],
  deliveries: ['deliveries', 'delivery', 'overview', 'destination', 'destinations'],
  dead: ['dead', 'overview', 'destination', 'destinations'],
  apps: ['apps', 'app', 'overview'],
  destinations: ['destinations', 'destination', 'overview'],
  replays: ['replays', 'dead'],
}

/** The browser itself takes up a broken stream, but not one that was refused: a proxy says 502 while the service restarts. */
const REOPEN_MS = 5_000

/**
 * Keeps what is on the page current while it is open: the service names topics, the page asks again for what it
 * shows of them. While the stream is broken pages are as fresh as their last look; what changed meanwhile is not told
 * afterwards, so all of it is asked for again once the stream is back.
 */
export function useLiveUpdates(enabled: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!enabled) return
    let stream: EventSource
    let reopening: ReturnType<typeof setTimeout> | undefined
    let missed = false
    const outdated = (topic: StreamTopic) => {
      for (const key of STALE[topic]) void queryClient.invalidateQueries({ queryKey: [key] })
    }
    const open = () => {
      stream = new EventSource(consoleUrl('/stream'))
      for (const topic of STREAM_TOPICS) stream.addEventListener(topic, () => outdated(topic))
      stream.addEventListener('open', () => {
        if (missed) STREAM_TOPICS.forEach(outdated)
        missed = false
      })
      stream.addEventListener('error', () => {
        missed = true
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
