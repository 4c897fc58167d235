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

/**
 * Keeps what is on the page current while it is open: the service names topics, the page asks again for what it
 * shows of them. A broken stream is taken up again by the browser; until then pages are as fresh as their last look.
 */
export function useLiveUpdates(enabled: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!enabled) return
    const stream = new EventSource(consoleUrl('/stream'))
    for (const topic of STREAM_TOPICS) {
      stream.addEventListener(topic, () => {
        for (const key of STALE[topic]) void queryClient.invalidateQueries({ queryKey: [key] })
      })
    }
    return () => stream.close()
  }, [enabled, queryClient])
}
